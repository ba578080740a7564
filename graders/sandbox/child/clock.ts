/**
 * Time in the child is virtual: timers fire when nothing else is left to do, at once and in order.
 * This module is imported first, so that everything loaded after it (MSW, the SDK, the student) holds the virtual clock.
 */
import { syncBuiltinESMExports } from "node:module";
import FakeTimers from "@sinonjs/fake-timers";

/** The real ones, for the child's own machinery. */
export const realSetImmediate = globalThis.setImmediate;
export const realCpuUsage = process.cpuUsage.bind(process);

/** Start of virtual time: the same on every run, so that nothing a student prints or sends depends on the day. */
const EPOCH = Date.UTC(2026, 0, 5, 9, 0, 0);

export const clock = FakeTimers.install({
  now: EPOCH,
  loopLimit: Number.MAX_SAFE_INTEGER,
  toFake: [
    "setTimeout",
    "clearTimeout",
    "setInterval",
    "clearInterval",
    "setImmediate",
    "clearImmediate",
    "Date",
    "hrtime",
    "performance",
  ],
});

// AbortSignal.timeout keeps a real timer inside Node: give it the virtual one.
AbortSignal.timeout = function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  clock.setTimeout(() => {
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, ms);
  return controller.signal;
};

syncBuiltinESMExports();

/** Drops every timer and goes back to the start of virtual time. */
export function resetClock(): void {
  clock.reset();
  clock.setSystemTime(EPOCH);
}
