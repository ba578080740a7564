/**
 * The sandbox's limits. Those that decide a verdict by counting stand with the diagnoses that own them;
 * these keep a hostile child from hurting the machine, and end what nothing else has ended.
 */

/** CPU time in one turn of the child's event loop after which the loop guard speaks. An honest second must pass. */
export const GUARD_CPU_MS = 1500;

/** CPU time over which the guard then watches which loop is still going round. */
export const GUARD_WATCH_MS = 60;

/**
 * Share of the heap from which on the guard notes which loops go round, and at which a spin that goes through functions alone
 * (`.then` recursion) is told at once: its chain of promises would fill the heap before GUARD_CPU_MS is over, and "out of
 * memory" would hide the cause.
 */
export const GUARD_HEAP_SHARE = 0.6;

/** Share of the heap at which what goes round in loops is stopped: V8 aborts soon after, without a word of where. */
export const GUARD_FULL_SHARE = 0.85;

/** Share from which on a loop counts as filling the heap: how far it gets in GUARD_CPU_MS depends on the machine. */
export const GUARD_FILLING_SHARE = 0.2;

/** Timers fired in a row with nothing else happening. */
export const IDLE_TIMERS = 10_000;

/** CPU time a child may use without a word to the parent before it is interrupted: what the guard cannot see (regex, native code). */
export const SILENT_CPU_MS = 2_200;

/** CPU time a child may use, its event loop turning, without asking, printing or ending: messages sent round in a circle. */
export const IDLE_CPU_MS = 6_000;

/**
 * Real time after which a trusted project that something of its own keeps awake (a server it talks to through pipes, a
 * worker) is taken to wait for nothing but time: enough for such a thing to say a word. A timer that is due sooner fires
 * sooner. And how long it is listened to once every conversation has ended.
 */
export const SILENCE_MS = 5_000;
export const FAREWELL_MS = 100;

/** Wall-clock limit of one run, the last resort; settable, see `WALL_SETTING`. */
export const WALL_MS = 20_000;
export const WALL_SETTING = "BUCLE_TIME_LIMIT_MS";

/** How long a child may take to load the runtime, wall clock. */
export const START_MS = 30_000;

/** Heap of the child, MB (V8's own limit), and resident memory of the whole process, bytes. */
export const HEAP_MB = 320;
export const RSS_BYTES = 768 * 1024 * 1024;

/** Longest line and most messages from one run of a child. */
export const LINE_BYTES = 4 * 1024 * 1024;
export const MESSAGES = 20_000;

/** Bytes a run may print before the child stops sending them up, and lines of them that are kept. */
export const PRINT_BYTES = 2 * 1024 * 1024;
export const PRINT_HEAD_LINES = 40;
export const PRINT_TAIL_LINES = 20;

/** Depth and length of a returned value as it is sent up. */
export const VALUE_DEPTH = 12;
export const VALUE_CHARS = 512 * 1024;
