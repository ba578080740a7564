import { failingTool, script } from "../testing/scripts.ts";
import { type Changes, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import unknownTool from "./unknown-tool-crashes.ts";

const reads = { tool: "read_logs", input: { service: "api" }, does: { returns: "log {{nonce}}" } };
const fails = { ...reads, does: { throws: "disk full {{nonce}}" } };
const madeUp = { tool: "reboot_planet", input: { planet: "mars" }, invented: true };
const scriptOf = (...calls: unknown[]) => script([{ text: "So. {{nonce}}", calls }, { text: "Well. {{nonce}}" }]);

/** A table of one's own instead of `executeTool`. */
const byTable: Changes["result"] = async ({ id, name, input }, execute) => {
  const table: Record<string, (input: unknown) => Promise<unknown>> = {
    read_logs: (each) => execute("read_logs", each),
  };
  return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await table[name]!(input)) };
};
const throwing = (error: (name: string) => Error): Changes["result"] => {
  return ({ id, name }) => {
    if (name === "reboot_planet") throw error(name);
    return { type: "tool_result", tool_use_id: id, content: "fine", is_error: true };
  };
};
const stopped = (message: string) => Object.assign(new Error(message), { name: "AgentStopped" });

lists(unknownTool, {
  has: [
    {
      name: "nothing catches what executeTool throws",
      agent: loop({}),
      script: scriptOf(madeUp),
      ends: "threw",
      says: ["`reboot_planet`", "Unknown tool", "`read_logs` y `restart_service`"],
      found: ["unknown-tool-crashes"],
    },
    {
      name: "beside a call that exists",
      agent: loop({}),
      script: scriptOf(reads, madeUp),
      found: ["unknown-tool-crashes"],
    },
    {
      name: "a table that does not have it",
      agent: loop({ result: byTable }),
      script: scriptOf(madeUp),
      says: ["`TypeError`", "`reboot_planet`"],
      found: ["unknown-tool-crashes"],
    },
    {
      name: "giving up because of it",
      agent: loop({ result: throwing((name) => stopped(`no tool ${name}`)) }),
      script: scriptOf(madeUp),
      says: ["respuesta 1", "reply 1"],
    },
    {
      name: "an error without its name",
      agent: loop({ result: throwing(() => new Error("unsupported")) }),
      script: scriptOf(madeUp),
    },
    {
      name: "in a promise that nobody waits for",
      agent: loop({}),
      script: scriptOf(madeUp),
      ended: { outcome: "crashed", kind: "uncaught" },
      found: ["unknown-tool-crashes"],
    },
  ],
  hasNot: [
    ...honestly(scriptOf(madeUp)),
    ...honestly(scriptOf(reads, madeUp)),
    { name: "a tool that exists fails", agent: loop({}), script: script(failingTool), headline: "tool-error-crashes" },
    {
      name: "another call of the same reply fails",
      agent: loop({}),
      script: scriptOf(fails, madeUp),
      headline: "tool-error-crashes",
    },
    {
      name: "giving up for a reason of its own",
      agent: loop({ result: throwing(() => stopped("out of budget")) }),
      script: scriptOf(madeUp),
      headline: null,
    },
    {
      name: "left out, so that the API rejects the rest",
      agent: loop({ calls: (calls) => calls.filter(({ name }) => name !== "reboot_planet") }),
      script: scriptOf(reads, madeUp),
      headline: "dropped-tool-result",
    },
  ],
});
