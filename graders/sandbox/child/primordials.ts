/** What the child's machinery uses, held before a student's code can change it. */
import fs from "node:fs";
import net from "node:net";

export const parse = JSON.parse;
export const stringify = JSON.stringify;
export const writeSync = fs.writeSync;
/** Ends the process at once, without the `exit` event. Node's own; its types leave it out. */
export const reallyExit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);
export const Socket = net.Socket;
export const PromiseCtor = Promise;
export const ErrorCtor = Error;
export const isArray = Array.isArray;
export const objectKeys = Object.keys;

const wait = Atomics.wait;
const cell = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread: real time, for a pipe that is full. */
export function pause(ms: number): void {
  wait(cell, 0, 0, ms);
}
