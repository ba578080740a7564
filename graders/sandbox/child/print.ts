/** What the student's code prints goes up the pipe, so that it stands under the run that printed it, in order. */
import { PRINT_BYTES } from "../limits.ts";
import { conversation } from "./conversation.ts";
import { onBeforeSend, writeLine } from "./pipe.ts";
import { stringify } from "./primordials.ts";

const FLUSH_AT = 32 * 1024;
let text = "";
let bytes = 0;
let droppedLines = 0;
let run = 0;
/** The conversation that printed `text`. */
let whose = 0;

function print(chunk: unknown): boolean {
  const piece = typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString("utf8");
  const mine = conversation();
  if (mine !== whose) flush();
  whose = mine;
  bytes += piece.length;
  if (bytes > PRINT_BYTES) {
    for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", at + 1)) droppedLines += 1;
    return true;
  }
  text += piece;
  if (text.length >= FLUSH_AT) flush();
  return true;
}

/** Sends up what has been printed so far. */
export function flush(): void {
  if (text === "" && droppedLines === 0) return;
  const message = { t: "print", run, conversation: whose, text, droppedLines };
  text = "";
  droppedLines = 0;
  writeLine(stringify(message));
}

export function startPrinting(ofRun: number): void {
  flush();
  run = ofRun;
  whose = 0;
  bytes = 0;
}

const write = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
  print(chunk);
  const callback = typeof encoding === "function" ? encoding : done;
  if (typeof callback === "function") queueMicrotask(() => callback());
  return true;
};

export function capturePrinting(): void {
  process.stdout.write = write as typeof process.stdout.write;
  process.stderr.write = write as typeof process.stderr.write;
  onBeforeSend(flush);
}
