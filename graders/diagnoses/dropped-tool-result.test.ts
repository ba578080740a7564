import { failingTool, oneTurn, sameTwice, script, threeAtOnce, twoAtOnce } from "../testing/scripts.ts";
import droppedToolResult from "./dropped-tool-result.ts";
import { keyOf } from "./find/calls.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(droppedToolResult, {
  has: [
    {
      name: "only the first call is run",
      agent: loop({ calls: (calls) => calls.slice(0, 1) }),
      script: script(twoAtOnce),
      says: ["nunca se ejecutó", "were found without `tool_result` blocks"],
    },
    {
      name: "all are run, one result is lost",
      agent: loop({ user: (results) => [{ role: "user", content: results.slice(0, 2) }] }),
      script: script(threeAtOnce),
      says: ["la herramienta sí se ejecutó", 'faltaba el resultado de `read_logs {"service":"web"}`'],
    },
    { name: "no result is sent, the turn is", agent: loop({ user: () => [] }), says: ["the tool did run"] },
    {
      name: "a plain text instead of the results",
      agent: loop({ user: (results) => [{ role: "user", content: String(results[0]?.content) }] }),
      says: ["`read_logs`", "sí está en el historial, pero no en un `tool_result`", "is in the history, but not in"],
      never: ["no le enviaste ningún resultado", "you sent it no result", "no aparece", "does not appear"],
    },
    {
      name: "the results written out as JSON",
      agent: loop({ user: (results) => [{ role: "user", content: JSON.stringify(results) }] }),
      script: script(threeAtOnce),
      says: ["lo que devolvieron las herramientas sí está en el historial"],
      never: ["no le enviaste ningún resultado", "no aparece"],
    },
    {
      name: "the error of a tool as text",
      agent: loop({
        result: ({ name, input }, execute) =>
          execute(name, input).catch((error: Error) => ({ type: "text", text: error.message })),
      }),
      script: script(failingTool),
      says: ["sí está en el historial"],
    },
    {
      name: "one result in its form, one as text",
      agent: loop({
        user: ([first, second]) => [
          { role: "user", content: [first, { type: "text", text: String(second?.content) }] },
        ],
      }),
      script: script(twoAtOnce),
      says: ['faltaba el resultado de `read_logs {"service":"db"}`', "sí está en el historial"],
      never: ["no aparece", "does not appear"],
    },
    {
      name: "one is lost and one never run",
      agent: loop({
        calls: (calls) => calls.slice(0, 2),
        user: (results) => [{ role: "user", content: results.slice(0, 1) }],
      }),
      script: script(threeAtOnce),
      says: ["lo que de eso se ejecutó no llegó"],
    },
    {
      name: "two calls that ask for the same, kept under what they ask: one is run and answered",
      agent: loop({
        calls: (calls) => [...new Map(calls.map((call) => [keyOf(call.name, call.input), call])).values()],
      }),
      script: script(sameTwice),
      says: ["esa llamada nunca se ejecutó", "that call was never run"],
      never: ["sí está en el historial", "is in the history"],
    },
    {
      name: "two calls that ask for the same, both run: one result is lost",
      agent: loop({ user: (results) => [{ role: "user", content: results.slice(-1) }] }),
      script: script(sameTwice),
      says: ["no aparece en el historial", "does not appear in the history"],
      never: ["sí está en el historial", "is in the history", "nunca se ejecutó", "never run"],
    },
    {
      name: "two calls that ask for the same, both run: the one result travels as text",
      agent: loop({
        user: ([first, second]) => [
          { role: "user", content: [second, { type: "text", text: String(first?.content) }] },
        ],
      }),
      script: script(sameTwice),
      says: ["sí está en el historial"],
    },
    {
      name: "three calls that ask for the same: one is answered, one lost, one never run",
      agent: loop({
        calls: (calls) => calls.slice(0, 2),
        user: (results) => [{ role: "user", content: results.slice(0, 1) }],
      }),
      script: script([
        {
          calls: Array.from({ length: 3 }, () => ({
            tool: "read_logs",
            input: { service: "api" },
            does: { returns: "log {{nonce}}" },
          })),
        },
        ...oneTurn.slice(1),
      ]),
      says: ["lo que de eso se ejecutó no llegó"],
    },
    {
      name: "one result, a request, and then the next",
      agent: loop({
        calls: (calls) => calls.slice(0, 1),
        on: ({ content }) => content.some(({ type }) => type === "tool_use"),
      }),
      script: script(twoAtOnce),
    },
    {
      name: "the error is swallowed and the request sent again",
      agent: loop({ calls: (calls) => calls.slice(0, 1), retry: () => true }),
      script: script(twoAtOnce),
      ends: "retry-storm",
    },
    {
      name: "an empty catch swallows what went wrong with a result",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const { content } = await callModel({ messages, tools });
        const results: unknown[] = [];
        for (const block of content) {
          if (block.type !== "tool_use") continue;
          try {
            const output = await executeTool(block.name, block.input);
            results.push({ type: "tool_result", tool_use_id: block.id, content: output.missing.trim() });
          } catch {}
        }
        messages.push({ role: "assistant", content }, { role: "user", content: results });
        return callModel({ messages, tools });
      },
      says: ["la herramienta sí se ejecutó"],
      never: ["Sigue lo que devuelve"],
      line: 20,
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    {
      name: "two calls that ask for the same are run once, and both are answered with what came back",
      agent: ({ executeTool, ...hands }) => {
        const known = new Map<string, Promise<unknown>>();
        const once = (name: string, input: unknown) => {
          const key = keyOf(name, input);
          if (!known.has(key)) known.set(key, executeTool(name, input));
          return known.get(key)!;
        };
        return loop({})({ ...hands, executeTool: once });
      },
      script: script(sameTwice),
    },
    {
      name: "text before the results",
      agent: loop({ user: (results) => [{ role: "user", content: [{ type: "text", text: "Here:" }, ...results] }] }),
      headline: "text-before-tool-results",
    },
    {
      name: "an id that nobody gave",
      agent: loop({
        user: (results) => [{ role: "user", content: results.map((result) => ({ ...result, tool_use_id: "x" })) }],
      }),
      headline: "wrong-tool-use-id",
    },
  ],
});
