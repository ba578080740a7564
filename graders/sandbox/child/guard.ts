/**
 * The loop guard's end in the child. The compiler weaves `if(++guard.h>=guard.n)guard.n=guard.c(site,since)` into every
 * loop body and function body; `h` counts all passes, `since` is `h` at the start of that loop's activation (-1: a function).
 * A turn of the event loop starts it afresh; without one for GUARD_CPU_MS of CPU time it names the loop whose single
 * activation has been going on longest.
 */
import v8 from "node:v8";
import {
  GUARD_CPU_MS,
  GUARD_FILLING_SHARE,
  GUARD_FULL_SHARE,
  GUARD_HEAP_SHARE,
  GUARD_WATCH_MS,
  HEAP_MB,
} from "../limits.ts";
import { realCpuUsage, realSetImmediate } from "./clock.ts";
import { send } from "./pipe.ts";
import { reallyExit } from "./primordials.ts";

/** The CPU time aimed at between two looks, ms: short enough to be exact, long enough to cost nothing. */
const LOOK_EVERY_MS = 4;
const LONGEST_STEP = 1 << 16;

/** Passes in one turn from which on a full heap is put down to their number: with fewer it is full of what they keep. */
const MANY_PASSES = 10_000;

/** CPU time after which a new turn of the event loop is told to the parent, which watches for silent spins, ms. */
const ALIVE_EVERY_MS = 300;

let currentRun = () => 0;
let turned = true;
let startedAt = 0;
let saidAliveAt = 0;
let firstHit = 0;
let lookedAt = 0;
let step = 1;
let oldest = new Map<number, number>();
let calls = new Map<number, number>();
let loopsSeen = false;

const heapSpaces = v8.getHeapSpaceStatistics;

/** Of the room for what lives on, the share that is taken. Young objects have room of their own, which differs by Node version. */
function heapShare(): number {
  let taken = 0;
  for (const { space_name, space_used_size } of heapSpaces())
    if (!space_name.startsWith("new_")) taken += space_used_size;
  return taken / (HEAP_MB * 1024 * 1024);
}

function cpuMs(): number {
  const { user, system } = realCpuUsage();
  return (user + system) / 1000;
}

function look(site: number, since: number): number {
  const now = cpuMs();
  if (turned) {
    if (now - saidAliveAt > ALIVE_EVERY_MS) {
      saidAliveAt = now;
      send({ t: "alive", run: currentRun() });
    }
    turned = false;
    startedAt = now;
    firstHit = guard.h;
    step = 1;
    oldest = new Map();
    calls = new Map();
    loopsSeen = false;
    realSetImmediate(() => {
      turned = true;
    }).unref();
  } else {
    const spent = now - lookedAt;
    // Odd, so that a loop with an even number of passes cannot hide its outer loop from every look.
    step = spent < LOOK_EVERY_MS ? Math.min(step * 2 + 1, LONGEST_STEP - 1) : Math.max(1, (step >> 1) | 1);
  }
  const spinning = now - startedAt - GUARD_CPU_MS;
  // Only what still goes round then counts, and not what went round when the heap was filling.
  if (spinning >= 0 && lookedAt - startedAt < GUARD_CPU_MS) oldest = new Map();
  lookedAt = now;
  if (since >= 0) loopsSeen = true;
  else calls.set(site, (calls.get(site) ?? 0) + 1);
  const share = heapShare();
  const filling = loopsSeen && share > GUARD_FILLING_SHARE;
  if ((spinning >= 0 || share > GUARD_HEAP_SHARE) && since >= 0)
    oldest.set(site, Math.max(oldest.get(site) ?? 0, guard.h - since));
  const many = guard.h - firstHit > MANY_PASSES;
  if (spinning >= GUARD_WATCH_MS || (filling && share > GUARD_FULL_SHARE)) report(now - startedAt, filling && !many);
  if (!loopsSeen && many && share > GUARD_HEAP_SHARE) report(now - startedAt, false);
  // Each pass is looked at at last.
  return guard.h + (spinning >= 0 ? 1 : step);
}

function report(spent: number, full: boolean): never {
  const site = largest(oldest) ?? largest(calls) ?? -1;
  try {
    send({ t: "busy", run: currentRun(), site, cpuMs: Math.round(spent), hits: guard.h - firstHit, full });
  } finally {
    // Also when the parent is gone and the pipe with it: nothing else would ever stop this process.
    reallyExit(97);
  }
  throw new Error("unreachable");
}

function largest(of: Map<number, number>): number | null {
  let best: number | null = null;
  for (const [site, value] of of) if (best === null || value > (of.get(best) ?? 0)) best = site;
  return best;
}

export const guard = { h: 0, n: 0, c: look };

export function guardRun(run: () => number): void {
  currentRun = run;
}
