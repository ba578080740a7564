/**
 * The child's end of fd 3. Messages go up synchronously, so that what is said last (before an exit, from inside a
 * spinning loop) still arrives, and in order. Answers come down through a socket that keeps the process alive only
 * while one is outstanding that will come.
 */
import type { Down, Up } from "../protocol.ts";
import { PromiseCtor, parse, pause, reallyExit, Socket, stringify, writeSync } from "./primordials.ts";

const FD = 3;
const socket = new Socket({ fd: FD, readable: true, writable: false });

type Answer = Extract<Down, { id: number }>;
const waiting = new Map<number, (answer: Answer) => void>();
/** Answers that have come and are handed on one by one. */
const arrived: Answer[] = [];
let oneByOne = false;
let lastId = 0;
let onCommand: (command: Exclude<Down, Answer>) => void = () => {};
let beforeSend: () => void = () => {};
let held = false;

/** Says something to the parent, now. */
export function send(message: Up): void {
  beforeSend();
  writeLine(stringify(message));
}

/** What to do before each message: printed text goes up first, so that it stands where it was printed. */
export function onBeforeSend(act: () => void): void {
  beforeSend = act;
}

/** Like `send`, without `onBeforeSend`. */
export function writeLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  let sent = 0;
  while (sent < bytes.length) {
    try {
      sent += writeSync(FD, bytes, sent, bytes.length - sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      pause(1);
    }
  }
}

/** Asks the parent and waits for its answer; for ever when it says `never`. */
export function ask(question: (id: number) => Up): Promise<Answer> {
  lastId += 1;
  const id = lastId;
  return new PromiseCtor((resolve) => {
    waiting.set(id, resolve);
    socket.ref();
    send(question(id));
  });
}

/** Whether an answer is still to come. */
export function isAsking(): boolean {
  return waiting.size > arrived.length;
}

/**
 * @param on whether each answer waits to be handed on. For conversations that go on at once: given theirs in the order in
 * which they asked, each when there is nothing left to do, they run into each other in the same way every time.
 */
export function answerOneByOne(on: boolean): void {
  oneByOne = on;
}

/** Whether an answer waits to be handed on, and none is still to come. */
export function hasArrived(): boolean {
  return arrived.length > 0 && !isAsking();
}

/** Gives the answer to the oldest question. */
export function handOn(): void {
  const [answer] = arrived.sort((a, b) => a.id - b.id).splice(0, 1);
  if (answer !== undefined) deliver(answer);
}

/** Stops waiting for anything: the run is over. */
export function forgetQuestions(): void {
  waiting.clear();
  arrived.length = 0;
}

/** Keeps the process alive (true) or lets an empty event loop show (false). */
export function hold(alive: boolean): void {
  held = alive;
  settle();
}

export function listen(act: (command: Exclude<Down, Answer>) => void): void {
  onCommand = act;
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) receive(parse(line) as Down);
  });
  // The parent is gone: nothing is left to do here.
  socket.on("close", () => reallyExit(0));
  settle();
}

function receive(message: Down): void {
  if (!("id" in message)) {
    onCommand(message);
  } else if (oneByOne && message.t !== "never" && waiting.has(message.id)) {
    arrived.push(message);
  } else {
    deliver(message);
  }
  settle();
}

function deliver(message: Answer): void {
  const resolve = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.t !== "never") resolve?.(message);
}

function settle(): void {
  if (held || isAsking()) socket.ref();
  else socket.unref();
}
