/**
 * Doors that Node's permission model leaves open, shut in JavaScript. Defence in depth, not a boundary:
 * nothing the child can do reaches the verdict, which is counted in the parent.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import module from "node:module";
import net from "node:net";
import os from "node:os";
import tls from "node:tls";
import traceEvents from "node:trace_events";
import v8 from "node:v8";
import { BLOCKED_CODE, type Up } from "../protocol.ts";

type What = Extract<Up, { t: "blocked" }>["what"];

class BlockedError extends Error {
  code = BLOCKED_CODE;
  permission: What;
  constructor(what: What, detail: string) {
    super(`The sandbox does not allow ${detail}`);
    this.name = "BlockedError";
    this.permission = what;
  }
}

type Holder = Record<string, unknown>;

/**
 * Shuts every door, or those to the network alone; `tell` reports each knock.
 * @param only `network` for code that its user trusts
 */
export function lockDown(tell: (what: What, detail: string) => void, only: "network" | null = null): void {
  const shut = (what: What, label: string, holder: object, names: readonly string[]) => {
    if (only !== null && what !== only) return;
    for (const name of names) {
      if (!(name in holder)) continue;
      const detail = `${label}.${name}`;
      const refuse = function refuse(): never {
        tell(what, detail);
        throw new BlockedError(what, detail);
      };
      try {
        Object.defineProperty(holder as Holder, name, { value: refuse, writable: false, configurable: false });
      } catch {
        (holder as Holder)[name] = refuse;
      }
    }
  };

  shut("process", "process", process, [
    "kill",
    "_kill",
    "_debugProcess",
    "_debugEnd",
    "_startProfilerIdleNotifier",
    "dlopen",
    "binding",
    "_linkedBinding",
    "chdir",
    "umask",
    "loadEnvFile",
    "execve",
    "abort",
    "setuid",
    "setgid",
    "seteuid",
    "setegid",
    "setgroups",
    "initgroups",
    "_getActiveHandles",
    "_getActiveRequests",
    "setUncaughtExceptionCaptureCallback",
  ]);
  shut("process", "os", os, ["setPriority"]);
  // It stops the thread for real: no clock of ours, and no count, could end it.
  shut("process", "Atomics", Atomics, ["wait"]);
  shut("filesystem", "v8", v8, [
    "setFlagsFromString",
    "writeHeapSnapshot",
    "getHeapSnapshot",
    "setHeapSnapshotNearHeapLimit",
  ]);
  shut("filesystem", "trace_events", traceEvents, ["createTracing"]);
  shut("process", "module", module, ["register", "registerHooks"]);
  shut("network", "net.Socket", net.Socket.prototype, ["connect"]);
  shut("network", "net.Server", net.Server.prototype, ["listen"]);
  shut("network", "net", net, ["connect", "createConnection", "createServer", "_createServerHandle"]);
  shut("network", "dgram", dgram, ["createSocket", "_createSocketHandle"]);
  shut("network", "tls", tls, ["connect", "createServer"]);
  const resolvers = (holder: object) => Object.keys(holder).filter((name) => /^(lookup|resolve|reverse)/.test(name));
  shut("network", "dns", dns, [...resolvers(dns), "Resolver"]);
  shut("network", "dns.promises", dns.promises, [...resolvers(dns.promises), "Resolver"]);

  if (only === null) {
    Object.defineProperty(process, "report", { value: undefined, configurable: false });
    process.argv = [];
    process.execArgv = [];
  }
  module.syncBuiltinESMExports();
}
