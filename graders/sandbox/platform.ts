/** Everything that differs by platform or Node version. */
import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** Node's flag for the permission model: stable from 22.13 on, experimental in 20. */
export const PERMISSION_FLAG =
  major > 22 || (major === 22 && minor >= 13) ? "--permission" : "--experimental-permission";

export const IS_WINDOWS = process.platform === "win32";

/** The least environment a child can start with: none, but for what Windows itself needs. */
export const CHILD_ENV: Record<string, string> = IS_WINDOWS ? { SystemRoot: process.env.SystemRoot ?? "" } : {};

export interface Usage {
  rssBytes: number;
  cpuMs: number;
}

/** How often usage is read, ms: from /proc it is free; elsewhere a process is started for it. */
export const USAGE_EVERY_MS = process.platform === "linux" ? 50 : 500;

const PAGE_BYTES = 4096;
/** `sysconf(_SC_CLK_TCK)` is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

/** Memory and CPU time of a process; null when it is gone or the platform does not say. */
export async function usage(pid: number): Promise<Usage | null> {
  try {
    if (process.platform === "linux") {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may hold spaces; after it, fields 14, 15 are CPU ticks and 24 is resident pages.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return {
        rssBytes: Number(fields[21]) * PAGE_BYTES,
        cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      };
    }
    if (IS_WINDOWS) return null;
    return await usageByPs(pid);
  } catch {
    return null;
  }
}

function usageByPs(pid: number): Promise<Usage | null> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=,time=", "-p", String(pid)], (error, out) => {
      const found = /(\d+)\s+(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)/.exec(out ?? "");
      if (error || found === null) return resolve(null);
      const [, rss, days = "0", hours = "0", minutes, seconds] = found;
      const cpuMs = (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
      resolve({ rssBytes: Number(rss) * 1024, cpuMs });
    });
  });
}

/** Ends a child and everything it started. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(IS_WINDOWS ? pid : -pid, signal);
  } catch {
    // already gone
  }
}

/**
 * Ends a program that was started through a shell, and everything that it started in turn, at once. Can be called while
 * this process ends. Windows has no process groups: there the tree below the shell is walked, so it must still be alive.
 */
export function killTree(pid: number): void {
  if (IS_WINDOWS) spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
  else killGroup(pid, "SIGKILL");
}
