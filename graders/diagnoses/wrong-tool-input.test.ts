import { script, threeAtOnce, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import wrongToolInput from "./wrong-tool-input.ts";

const run = (change: (name: string, input: unknown) => [string, unknown]) =>
  loop({
    result: async ({ id, name, input }, execute) => {
      const content = await execute(...change(name, input)).catch((error: Error) => error.message);
      return { type: "tool_result", tool_use_id: id, content: JSON.stringify(content) };
    },
  });

const backToFront = <T extends object>(reply: T & { calls?: unknown[] }) =>
  reply.calls ? { ...reply, calls: reply.calls.toReversed() } : reply;

const TOOLS = ["read_logs", "restart_service"];
const declared = (name: string) => ({ name, description: name, input_schema: { type: "object" } });

lists(wrongToolInput, {
  has: [
    {
      name: "the input as a string",
      agent: run((name, input) => [name, JSON.stringify(input)]),
      says: ['con `{"service":"api"}`', "Pasó 2 veces"],
    },
    { name: "no input", agent: run((name) => [name, undefined]) },
    { name: "another input", agent: run((name) => [name, { service: "db" }]) },
    {
      name: "another tool and another input",
      agent: run((name, input) => [name === "read_logs" ? "delete_logs" : name, { ...(input as object), force: true }]),
      script: script(threeAtOnce, { tools: [...TOOLS, "delete_logs"].map(declared) }),
      says: ["ninguna respuesta hasta ese momento pedía eso", "no reply up to then asked for that"],
      never: ["recibió un input distinto"],
    },
    {
      name: "another tool with the very input",
      agent: run((_, input) => ["read_logs", input]),
      script: script(threeAtOnce),
      says: [
        'pidió `restart_service` con `{"service":"db"}`, y tu código ejecutó `read_logs` con ese mismo input',
        "your code ran `read_logs` with that same input",
      ],
      never: ["input distinto", "input other", "Pasó"],
    },
    {
      name: "another tool, of a name that was run before",
      agent: run((_, input) => ["read_logs", input]),
      script: script(twoTurns),
      says: ['pidió `restart_service` con `{"service":"api"}`, y tu código ejecutó `read_logs`'],
      found: ["wrong-tool-input"],
    },
    {
      name: "the second of two calls by the same name",
      agent: run((name, input) => [name, (input as { service: string }).service === "db" ? { service: "x" } : input]),
      script: script(twoAtOnce),
      says: ['pidió `read_logs` con `{"service":"db"}`, y tu código la ejecutó con `{"service":"x"}`'],
    },
    ...[twoAtOnce, twoAtOnce.map(backToFront)].map((turns) => ({
      name: "both of two calls with the input of one of them",
      agent: run((name) => [name, { service: "api" }]),
      script: script(turns),
      says: ['pidió `read_logs` con `{"service":"db"}`, y tu código la ejecutó con `{"service":"api"}`'],
      found: ["wrong-tool-input"],
    })),
    {
      name: "tools run before the model is asked, for ever",
      agent: async ({ executeTool }) => {
        for (;;) await executeTool("read_logs", {}).catch(() => {});
      },
      ends: "retry-storm",
      headline: "wrong-tool-input",
    },
    {
      name: "a new guess each time, for ever",
      agent: async ({ executeTool }) => {
        for (let guess = 0; ; guess++) await executeTool("read_logs", { guess }).catch(() => {});
      },
      ends: "wrong-tool-input",
      says: ["250 veces"],
    },
    {
      name: "the input and the name in each other's place",
      agent: loop({
        result: async ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: await execute(input as string, name),
        }),
      }),
      script: script(twoAtOnce),
      ends: "threw",
      says: ["recibió un objeto, que no es ningún nombre", "was given an object, which is no name"],
      found: ["wrong-tool-input"],
    },
    {
      name: "the id as the name, with the error sent as a result",
      agent: loop({
        result: async ({ id, input }, execute) => {
          const said = await execute(id, input).catch((error: Error) => `Error: ${error.message}`);
          return { type: "tool_result", tool_use_id: id, content: said, is_error: true };
        },
      }),
      script: script(twoTurns),
      says: ["recibió `toolu_", "que no es ninguna de las herramientas"],
      found: ["wrong-tool-input"],
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    {
      name: "a tool that the model made up, told by the words of `executeTool`",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          const said = await execute(name, input).catch((error: Error) => error.message);
          return { type: "tool_result", tool_use_id: id, content: JSON.stringify(said), is_error: true };
        },
      }),
      script: script([{ calls: [{ tool: "reboot_planet", input: {}, invented: true }] }, { text: "Done. {{nonce}}" }]),
      headline: null,
    },
    {
      name: "the keys in another order",
      agent: run((name, input) => [name, Object.fromEntries(Object.entries(input as object).reverse())]),
      headline: null,
    },
    {
      name: "a call run twice",
      agent: loop({
        calls: (calls) => calls,
        result: async ({ id, name, input }, execute) => {
          await execute(name, input);
          return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await execute(name, input)) };
        },
      }),
      headline: "tool-run-twice",
    },
  ],
});
