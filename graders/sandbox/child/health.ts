/** Whether a run left the child as it found it, so that the next may use it. */

import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";

type Entry = [holder: object, key: PropertyKey, value: unknown];

const INTRINSICS: object[] = [
  Object,
  Function.prototype,
  Array,
  String,
  Number,
  Boolean,
  Symbol,
  Promise,
  Map,
  Set,
  WeakMap,
  WeakSet,
  RegExp,
  Error,
  Date,
  Proxy,
  Buffer,
  Headers,
  Request,
  Response,
  AbortController,
  AbortSignal,
  ReadableStream,
  URL,
  AsyncLocalStorage,
  AsyncResource,
].flatMap((intrinsic) => {
  const prototype = (intrinsic as { prototype?: object }).prototype;
  return prototype ? [intrinsic, prototype] : [intrinsic];
});
const HOLDERS: object[] = [...INTRINSICS, JSON, Math, Reflect, Atomics, console, process];

/** Own keys that Node itself may add to `process` at any time. */
const NODE_OWN = new Set<PropertyKey>(["_events", "_eventsCount", "_maxListeners", "exitCode", "domain"]);

const LOADED = new Set(
  Reflect.ownKeys(globalThis).filter((key) => "value" in (Reflect.getOwnPropertyDescriptor(globalThis, key) ?? {})),
);

function snapshot(): Entry[] {
  const entries: Entry[] = [];
  for (const holder of [globalThis, ...HOLDERS]) {
    for (const key of Reflect.ownKeys(holder)) {
      if (holder === process && NODE_OWN.has(key)) continue;
      const descriptor = Reflect.getOwnPropertyDescriptor(holder, key);
      // Node loads some globals when they are first read, and then puts the value in the getter's place.
      const isLazy = holder === globalThis && !LOADED.has(key);
      if (isLazy) entries.push([holder, key, null]);
      else entries.push([holder, key, descriptor && ("value" in descriptor ? descriptor.value : descriptor.get)]);
    }
  }
  return entries;
}

/** Takes the picture; the function it returns tells whether all is still as it was. */
export function watchHealth(): () => boolean {
  const before = snapshot();
  const listeners = () =>
    process
      .eventNames()
      .map((name) => process.listenerCount(name as "exit"))
      .join();
  const listening = listeners();
  return () => {
    if (listeners() !== listening) return false;
    const after = snapshot();
    if (after.length !== before.length) return false;
    return after.every(([holder, key, value], index) => {
      const old = before[index];
      return old !== undefined && old[0] === holder && old[1] === key && Object.is(old[2], value);
    });
  };
}
