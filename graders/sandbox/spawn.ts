/** Starting a child, speaking to it, and ending it for certain. Knows nothing of runs. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { pathToFileURL } from "node:url";
import { withoutSecrets } from "./environment.ts";
import { HEAP_MB, LINE_BYTES } from "./limits.ts";
import { CHILD_ENV, IS_WINDOWS, killGroup, PERMISSION_FLAG } from "./platform.ts";
import { type Down, TRUSTED } from "./protocol.ts";

export interface Child {
  pid: number;
  send(message: Down): void;
  /** Hands over all that has come up since the start, and all that will. */
  listen(listener: ChildListener): void;
  exited: boolean;
  /** Its end has been ordered; what it said before may still come up. */
  killed: boolean;
  /** Resolves when the process is gone. */
  gone: Promise<void>;
  interrupt(): void;
  kill(): void;
}

export interface ChildListener {
  /** Each line that comes up, unread; `null` once a line is too long to be one. */
  line(line: string | null): void;
  /** What was written to the real stdout and stderr: not by `console`, which goes up the pipe. */
  raw(stream: "stdout" | "stderr", text: string): void;
  exit(how: Exit): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const alive = new Set<Child>();
let emptyFolder: string | null = null;

/** The layers that every child has, for the report. */
export const LAYERS: readonly string[] = ["process", "permission", "virtual-time", "loop-guard", "lockdown"];

/** The layers of a child whose code is trusted by its user. */
export const TRUSTED_LAYERS: readonly string[] = ["process", "virtual-time", "loop-guard", "no-network", "no-secrets"];

/** For code that its user trusts as they trust their own shell. What it must not do all the same is reach the network. */
export interface Trusted {
  /** The folder it runs in. */
  cwd: string;
  /** The environment it is given, less what looks like a secret; left out, the one of this process. */
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a child that may read the runtime's file and nothing else.
 * @param runtime the bundled runtime
 * @param trusted its code is trusted: it may read, write and start what its user may
 */
export function spawnChild(runtime: string, trusted: Trusted | null = null): Child {
  // The permission model compares real paths.
  const file = realpathSync(runtime);
  const process_ = spawn(
    process.execPath,
    [
      ...(trusted ? [] : [PERMISSION_FLAG, `--allow-fs-read=${file}`]),
      `--max-old-space-size=${HEAP_MB}`,
      "--trace-sigint",
      "--no-warnings",
      file,
      ...(trusted ? [TRUSTED] : []),
    ],
    {
      cwd: trusted ? trusted.cwd : anEmptyFolder(),
      env: trusted ? withoutSecrets(trusted.env ?? process.env) : CHILD_ENV,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      detached: !IS_WINDOWS,
      windowsHide: true,
    },
  );
  const pipe = process_.stdio[3] as Duplex;
  let isGone: () => void = () => {};
  let listener: ChildListener | null = null;
  // A spare may be ready, or dead, before anybody wants it.
  const early: ((to: ChildListener) => void)[] = [];
  const tell = (act: (to: ChildListener) => void) => {
    if (listener) act(listener);
    else early.push(act);
  };
  const child: Child = {
    pid: process_.pid ?? -1,
    send: (message) => {
      if (!child.exited && pipe.writable) pipe.write(`${JSON.stringify(message)}\n`);
    },
    listen: (to) => {
      listener = to;
      for (const act of early.splice(0)) act(to);
    },
    exited: false,
    killed: false,
    gone: new Promise((resolve) => {
      isGone = resolve;
    }),
    interrupt: () => killGroup(child.pid, "SIGINT"),
    kill: () => {
      child.killed = true;
      if (!child.exited && child.pid > 0) killGroup(child.pid, "SIGKILL");
    },
  };
  alive.add(child);
  cleanUpAtExit();
  readLines(pipe, (line) => tell((to) => to.line(line)));
  for (const name of ["stdout", "stderr"] as const) {
    process_[name]?.setEncoding("utf8").on("data", (text: string) => tell((to) => to.raw(name, text)));
  }
  pipe.on("error", () => {}); // a child that dies while we write is told by its exit
  whenClosed(process_, (code, signal) => {
    child.exited = true;
    isGone();
    alive.delete(child);
    tell((to) => to.exit({ code, signal }));
  });
  return child;
}

/** URL by which the compiled submission imports the runtime: the very module the child's process was started with. */
export function runtimeUrl(runtime: string): string {
  return pathToFileURL(realpathSync(runtime)).href;
}

function whenClosed(process_: ChildProcess, act: (code: number | null, signal: NodeJS.Signals | null) => void): void {
  let told = false;
  const once = (code: number | null, signal: NodeJS.Signals | null) => {
    if (told) return;
    told = true;
    act(code, signal);
  };
  process_.on("close", once);
  process_.on("error", () => once(null, null));
}

function readLines(pipe: Duplex, act: (line: string | null) => void): void {
  let rest = "";
  pipe.setEncoding("utf8");
  pipe.on("data", (chunk: string) => {
    rest += chunk;
    if (chunk.includes("\n")) {
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) act(line);
    }
    if (rest.length > LINE_BYTES) {
      rest = "";
      act(null);
    }
  });
}

function anEmptyFolder(): string {
  emptyFolder ??= mkdtempSync(join(tmpdir(), "bucle-"));
  return emptyFolder;
}

let willCleanUp = false;

function cleanUpAtExit(): void {
  if (willCleanUp) return;
  willCleanUp = true;
  process.on("exit", () => {
    for (const child of alive) child.kill();
    if (emptyFolder !== null) rmSync(emptyFolder, { recursive: true, force: true });
  });
  // A child stands in a process group of its own: the terminal's Ctrl-C reaches only us.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      process.exitCode = signal === "SIGINT" ? 130 : 143;
      process.exit();
    });
  }
}
