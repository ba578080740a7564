/**
 * For tests: which processes of the sandbox are alive. A child works in an empty folder below TMPDIR, so a run that is
 * given a TMPDIR of its own has children that can be told from those of every other test. Linux only: it is read from /proc.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Why a test that looks for processes is skipped, else false. */
export const NO_PROC = !existsSync("/proc/self/cwd");

const TICK_MS = 10;

export interface Alive {
  pid: number;
  /** CPU time it has used, ms. */
  cpuMs: number;
}

/** The processes that work in a folder below this one, removed or not. */
export function processesBelow(folder: string): Alive[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)) return [];
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return [{ pid: Number(pid), cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS }];
      } catch {
        return []; // it ended while we looked, or is somebody else's
      }
    });
}
