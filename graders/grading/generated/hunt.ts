/** Looks for a conversation that a submission fails, and for the smallest one. */
import * as fc from "fast-check";
import type { ScenarioFile } from "../../model/scenario-file.ts";
import { conversations } from "./conversations.ts";

export interface Hunt {
  /** What the conversations are drawn from: the exercise's own. */
  files: readonly ScenarioFile[];
  /** How many are tried. */
  tries: number;
  seed: string;
  /** Whether the submission fails this conversation. */
  fails(file: ScenarioFile): Promise<boolean>;
}

/** Conversations that may be played to make a failure smaller. Counted: a slow loop gets no smaller a share. */
const SHRINKS = 40;

/**
 * Plays drawn conversations until one fails, then ever smaller ones.
 * The same seed and submission give the same conversation.
 * @returns the smallest that still fails; null when none did
 */
export async function hunt({ files, tries, seed, fails }: Hunt): Promise<ScenarioFile | null> {
  const drawn = conversations(files);
  if (drawn === null || tries === 0) return null;
  let smallest: ScenarioFile | null = null;
  let shrinks = 0;
  const property = fc.asyncProperty(drawn, async (file) => {
    if (smallest !== null) {
      shrinks += 1;
      if (shrinks > SHRINKS) return true;
    }
    if (!(await fails(file))) return true;
    smallest = file;
    return false;
  });
  await fc.check(property, { seed: numberOf(seed), numRuns: tries });
  return smallest;
}

/** A seed as fast-check wants one. FNV-1a, 32 bits. */
function numberOf(seed: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
  return hash | 0;
}
