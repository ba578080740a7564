/** A child with somebody listening to it, from run to run. */
import { MESSAGES, START_MS } from "./limits.ts";
import type { Up } from "./protocol.ts";
import type { Child, Exit } from "./spawn.ts";
import { readUp } from "./up.ts";

/** After a parked run: how long its child may take to get quiet before a fresh one is taken instead. No verdict hangs on it. */
const QUIET_WITHIN_MS = 250;

export interface Seat {
  child: Child;
  ready: Promise<void>;
  /** Whether the next run may use it; waits a moment for a parked run to get quiet. */
  reusable(): Promise<boolean>;
  /** Hands all that comes up to one run. */
  listen(listener: Listener): void;
  /** A run starts in it. */
  begin(): void;
}

export interface Listener {
  message(message: Up | null): void;
  raw(stream: "stdout" | "stderr", text: string): void;
  exit(how: Exit): void;
}

const NOBODY: Listener = { message: () => {}, raw: () => {}, exit: () => {} };

/** Takes a child that is starting, or has started already. */
export function sit(child: Child): Seat {
  let listener = NOBODY;
  let state: "starting" | "quiet" | "busy" | "spoilt" = "starting";
  let onState: () => void = () => {};
  const become = (next: typeof state) => {
    if (state !== "spoilt") state = next;
    onState();
  };
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The sandbox did not start within ${START_MS} ms`)), START_MS);
    onState = () => {
      clearTimeout(late);
      if (state === "spoilt") reject(new Error(`The sandbox could not start: ${startUpText}`));
      else resolve();
    };
  });
  ready.catch(() => {}); // awaited by the run; a spare that is dropped has nobody to tell
  let startUpText = "";
  let messages = 0;
  child.listen({
    line: (line) => {
      messages += 1;
      const message = line === null || messages > MESSAGES ? null : readUp(line);
      if (message?.t === "ready") return become("quiet");
      if (message?.t === "quiet") become(message.clean ? "quiet" : "spoilt");
      listener.message(message);
    },
    raw: (stream, text) => {
      if (state === "starting") startUpText = (startUpText + text).slice(-4000);
      listener.raw(stream, text);
    },
    exit: (how) => {
      become("spoilt");
      listener.exit(how);
    },
  });
  return {
    child,
    ready,
    reusable: async () => {
      if (state === "busy") {
        await new Promise<void>((resolve) => {
          const late = setTimeout(() => become("spoilt"), QUIET_WITHIN_MS);
          onState = () => {
            clearTimeout(late);
            resolve();
          };
        });
      }
      return state === "quiet" && !child.exited && !child.killed;
    },
    listen: (next) => {
      listener = next;
    },
    begin: () => {
      messages = 0;
      become("busy");
    },
  };
}
