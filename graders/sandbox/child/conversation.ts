/**
 * Which conversation the code that runs now belongs to, when one import of a submission holds several. It is kept with
 * the chain of calls and promises (`AsyncLocalStorage`), so the student's code need not know of it.
 * A run of one conversation does without: following every promise has a price.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<number>();
// Held before a student's code can change their prototype.
const runWith = storage.run.bind(storage);
const stored = storage.getStore.bind(storage);
const disable = storage.disable.bind(storage);

let several = false;
let begun = 1;
let settled: boolean[] = [];

/** A run begins, with so many conversations. The first counts as begun: the module's own code is put down to it. */
export function openConversations(count: number): void {
  several = count > 1;
  begun = 1;
  settled = [];
}

/** Calls `act` within a conversation: all that it brings about belongs to that one. */
export function inConversation<T>(index: number, act: () => T): T {
  begun = index < begun ? begun : index + 1;
  return several ? runWith(index, act) : act();
}

export function conversationSettled(index: number): void {
  settled[index] = true;
}

/** The conversation that this code belongs to; outside of any, the first that has begun and not settled, else the last begun. */
export function conversation(): number {
  if (!several) return 0;
  const index = stored();
  if (index !== undefined && index < begun) return index;
  for (let open = 0; open < begun; open++) if (!settled[open]) return open;
  return begun - 1;
}

/** The run is over: promises cost what they always did. */
export function leaveConversations(): void {
  if (several) disable();
  several = false;
}
