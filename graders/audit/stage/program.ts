/** Starting a program of the user's through a shell, and ending it for certain. Knows nothing of conversations. */
import { type ChildProcess, spawn } from "node:child_process";
import { IS_WINDOWS, killTree } from "../../sandbox/platform.ts";

export interface Started {
  /** Resolves when it is gone, and all that it printed has been read. */
  ended: Promise<Ended>;
  /** Ends it and everything that it has started. */
  kill(): void;
}

export interface Ended {
  /** Null where a signal ended it, or it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  /** As one types it: the platform's own shell (`sh`, `cmd.exe`) reads it, quotes and all. */
  command: string;
  env: Readonly<Record<string, string>>;
  /** Written to its stdin, which then ends. */
  input: string;
  print(stream: "stdout" | "stderr", text: string): void;
}

/** What a program has left running may keep its output open: how long that is waited for once it is gone, ms. */
const LEFT_OPEN_MS = 1000;

const alive = new Set<ChildProcess>();

export function startProgram({ command, env, input, print }: ProgramOptions): Started {
  const child = spawn(command, {
    shell: true,
    env: { ...env },
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own, so that everything in it can be ended at once.
    detached: !IS_WINDOWS,
    windowsHide: true,
  });
  alive.add(child);
  endWithUs();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => print(name, text));
  }
  child.stdin.on("error", () => {}); // it need not read what it is given
  child.stdin.end(input);
  const kill = () => {
    if (child.pid !== undefined) killTree(child.pid);
  };
  return {
    kill,
    ended: new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        alive.delete(child);
        resolve({ code, signal });
      };
      child.once("exit", (code, signal) => {
        // What it left running in its group is of no more use.
        if (!IS_WINDOWS) kill();
        const waited = setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
        }, LEFT_OPEN_MS);
        child.once("close", () => {
          clearTimeout(waited);
          end(code, signal);
        });
      });
      child.once("error", (error) => {
        print("stderr", error.message);
        end(null, null);
      });
    }),
  };
}

let willEnd = false;

/** A group of its own does not get the terminal's Ctrl-C: whatever ends this process ends the programs first. */
function endWithUs(): void {
  if (willEnd) return;
  willEnd = true;
  process.on("exit", () => {
    for (const { pid } of alive) if (pid !== undefined) killTree(pid);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      process.exitCode = signal === "SIGINT" ? 130 : 143;
      process.exit();
    });
  }
}
