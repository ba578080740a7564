/**
 * The first child of a process, started before anything else is loaded: it takes longest to get ready.
 * Keep this module's imports few: the launcher waits for them.
 */
import { type Child, spawnChild } from "./spawn.ts";

let spare: { runtime: string; child: Child } | null = null;

/** Starts a child now, for whoever asks first. */
export function startSpare(runtime: string): void {
  spare ??= { runtime, child: spawnChild(runtime) };
}

/** The spare if there is one for this runtime, else a new child. */
export function takeChild(runtime: string): Child {
  if (spare?.runtime !== runtime) return spawnChild(runtime);
  const { child } = spare;
  spare = null;
  return child;
}

/** Ends a spare that nobody took. */
export function dropSpare(): void {
  spare?.child.kill();
  spare = null;
}
