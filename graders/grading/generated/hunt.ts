/** Looks for a conversation that a submission fails, and for the smallest one. */
import * as fc from "fast-check";
import type { FileCall, ScenarioFile } from "../../model/scenario-file.ts";
import { conversations } from "./conversations.ts";

export interface Search {
  /** What the conversations are drawn from: the exercise's own. */
  files: readonly ScenarioFile[];
  /** How many are drawn. */
  tries: number;
  seed: string;
}

/** Conversations that may be played to make a failure smaller. Counted: a slow loop gets no smaller a share. */
const SHRINKS = 80;

/** The conversations that are drawn; none where there is nothing to draw from. */
export function draw({ files, tries, seed }: Search): ScenarioFile[] {
  const drawn = conversations(files);
  return drawn === null ? [] : fc.sample(drawn, { seed: numberOf(seed), numRuns: tries });
}

/**
 * Plays the drawn conversations until one fails, then ever smaller ones.
 * The same seed and submission give the same conversation.
 * @param search.fails whether the submission fails this conversation
 * @returns the smallest that still fails; null when none did
 */
export async function smallest({
  fails,
  ...search
}: Search & { fails(file: ScenarioFile): Promise<boolean> }): Promise<ScenarioFile | null> {
  const drawn = conversations(search.files);
  if (drawn === null) return null;
  let found: ScenarioFile | null = null;
  let shrinks = 0;
  const property = fc.asyncProperty(drawn, async (file) => {
    if (found !== null) {
      shrinks += 1;
      if (shrinks > SHRINKS) return true;
    }
    if (!(await fails(file))) return true;
    found = file;
    return false;
  });
  await fc.check(property, { seed: numberOf(search.seed), numRuns: search.tries });
  if (found === null) return null;
  // The library drops what comes first in a list; what comes later may be of no account, too.
  // And what a call is, or gives back, may be: then any will do.
  const plain = plainCall(search.files, found);
  const smallerThan = (file: ScenarioFile) => [...without(file), ...plainer(file, plain)];
  let smaller: ScenarioFile[] = smallerThan(found);
  while (smaller.length > 0 && shrinks < SHRINKS) {
    shrinks += 1;
    const next = smaller.shift()!;
    if (!(await fails(next))) continue;
    found = next;
    smaller = smallerThan(next);
  }
  return found;
}

/** A conversation less a turn, a call of one, its text or its thinking: each way there is. It keeps its end, and one call a turn. */
function without(file: ScenarioFile): ScenarioFile[] {
  const { replies } = file;
  return replies.flatMap((reply, index) => {
    if ("fault" in reply) return [];
    const { text, thinking, ...bare } = reply;
    const silent = index === replies.length - 1 ? { ...bare, ...(text === undefined ? {} : { text }) } : bare;
    const plain =
      Object.keys(silent).length < Object.keys(reply).length ? [{ ...file, replies: replies.with(index, silent) }] : [];
    if (index === replies.length - 1) return plain;
    const calls = "calls" in reply ? (reply.calls ?? []) : [];
    const fewer = calls.length > 1 ? calls.map((_, c) => ({ ...reply, calls: calls.toSpliced(c, 1) })) : [];
    return [
      ...(replies.length > 2 ? [{ ...file, replies: replies.toSpliced(index, 1) }] : []),
      ...plain,
      ...fewer.map((less) => ({ ...file, replies: replies.with(index, less) })),
    ];
  });
}

/** The first call of the scenario that a conversation is drawn from: the least remarkable there is. */
function plainCall(files: readonly ScenarioFile[], drawn: ScenarioFile): FileCall | null {
  const worlds = files.filter(
    ({ userInput, vars }) => JSON.stringify([userInput, vars]) === JSON.stringify([drawn.userInput, drawn.vars]),
  );
  const calls = worlds.flatMap(({ replies }) =>
    replies.flatMap((reply) => ("calls" in reply ? (reply.calls ?? []) : [])),
  );
  return calls.find(({ refuse, invented }) => !refuse && !invented) ?? null;
}

/** A conversation with one of its calls made the plain one, where it is one of that world: each way there is. */
function plainer(file: ScenarioFile, plain: FileCall | null): ScenarioFile[] {
  if (plain === null || !file.tools.some(({ name }) => name === plain.tool)) return [];
  return file.replies.flatMap((reply, index) => {
    const calls = "calls" in reply ? (reply.calls ?? []) : [];
    return calls.flatMap((call, c) =>
      [plain, { ...plain, does: call.does }, { ...call, does: plain.does }]
        .filter((each) => JSON.stringify(each) !== JSON.stringify(call) && each.does !== undefined)
        .map((each) => ({ ...file, replies: file.replies.with(index, { ...reply, calls: calls.with(c, each) }) })),
    );
  });
}

/** A seed as fast-check wants one. FNV-1a, 32 bits. */
function numberOf(seed: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
  return hash | 0;
}
