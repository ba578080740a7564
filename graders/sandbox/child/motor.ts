/**
 * What takes `beforeExit`'s place while something real is open: a process or a thread that a project has started, whose
 * pipes keep Node waiting though nobody has anything more to do. Then the silence of the event loop is all there is.
 */
import { realIdleTime, realNow, realSetInterval } from "./clock.ts";

/** How often the event loop is looked at, real ms. */
const LOOK_EVERY_MS = 20;
/** Busy for less than this between two looks, it has done nothing but be looked at, ms. */
const STILL_MS = 2;

/**
 * Watches for silence, without keeping the process alive itself.
 * @param silentFor told, at each look, for how many real ms the event loop has done nothing; true when it acted on that,
 * which ends the silence
 */
export function watchSilence(silentFor: (ms: number) => boolean): void {
  let silentMs = 0;
  let then = realNow();
  let idleThen = realIdleTime();
  realSetInterval(() => {
    const now = realNow();
    const idleNow = realIdleTime();
    const passed = Number(now - then) / 1e6;
    const active = passed - (idleNow - idleThen);
    then = now;
    idleThen = idleNow;
    silentMs = active < STILL_MS ? silentMs + passed : 0;
    if (silentMs > 0 && silentFor(silentMs)) silentMs = 0;
  }, LOOK_EVERY_MS).unref();
}
