/**
 * Time in the child is virtual: timers fire when nothing else is left to do, at once and in order.
 * This module is imported first, so that everything loaded after it (MSW, the SDK, the student) holds the virtual clock.
 */
import { AsyncResource } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { performance } from "node:perf_hooks";
import FakeTimers from "@sinonjs/fake-timers";

/** The real ones, for the child's own machinery. */
export const realSetImmediate = globalThis.setImmediate;
export const realSetInterval = globalThis.setInterval;
export const realCpuUsage = process.cpuUsage.bind(process);
export const realNow = process.hrtime.bigint.bind(process.hrtime);
const utilization = performance.eventLoopUtilization.bind(performance);
/** How long the event loop has waited since the start, ms. (How long it was active Node reckons by the clock that is changed below.) */
export const realIdleTime = (): number => utilization().idle;

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

// What was set within an `AsyncLocalStorage` is there again when a timer fires, as with Node's own timers. Changed in the
// clock, not in the globals: those, and `node:timers`, all lead to it.
type Callback = (...args: unknown[]) => unknown;
type SetTimer = (callback: Callback, ...rest: unknown[]) => unknown;
const timers = clock as unknown as Record<string, SetTimer>;
for (const name of ["setTimeout", "setInterval", "setImmediate"]) {
  const original = timers[name] as SetTimer;
  const keeping: SetTimer = (callback, ...rest) => original(inItsContext(callback), ...rest);
  timers[name] = Object.defineProperties(keeping, Object.getOwnPropertyDescriptors(original));
}

function inItsContext(callback: Callback): Callback {
  if (typeof callback !== "function") return callback; // the clock tells that it is none
  const resource = new AsyncResource("VirtualTimer", { requireManualDestroy: true });
  return (...args) => resource.runInAsyncScope(callback, null, ...args);
}

/** Timers of `AbortSignal.timeout` that have not fired. */
let signalTimers = 0;

// AbortSignal.timeout keeps a real timer inside Node: give it the virtual one.
AbortSignal.timeout = function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  signalTimers += 1;
  clock.setTimeout(() => {
    signalTimers -= 1;
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, ms);
  return controller.signal;
};

syncBuiltinESMExports();

/** Virtual ms until the next timer fires; null when there is none. */
export function nextTimerIn(): number | null {
  const { timerHeap } = clock as unknown as { timerHeap?: { peek(): { callAt: number } | undefined } };
  const next = timerHeap?.peek();
  return next === undefined ? null : next.callAt - clock.now;
}

/** Timers that somebody forgot: a signal's cannot be cancelled, and in Node it keeps nothing awake. */
export function forgottenTimers(): number {
  return clock.countTimers() - signalTimers;
}

/** Drops every timer and goes back to the start of virtual time. */
export function resetClock(): void {
  clock.reset();
  signalTimers = 0;
  clock.setSystemTime(EPOCH);
}
