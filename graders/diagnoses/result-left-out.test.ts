import { failingTool, oneTurn, polling, script, threeAtOnce, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import resultLeftOut from "./result-left-out.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** Runs each call, and answers with what `say` makes of it. */
const saying = (say: (output: unknown, name: string) => unknown, more = {}) =>
  loop({
    result: async ({ id, name, input }, execute) => {
      const output = await execute(name, input);
      return { type: "tool_result", tool_use_id: id, content: say(output, name), ...more };
    },
  });

/** One call of a tool that returns this, and the answer. */
function logging(returns: unknown): unknown[] {
  return [{ calls: [{ tool: "read_logs", input: { service: "api" }, does: { returns } }] }, ...oneTurn.slice(1)];
}

/** A message with the first words alone of what its results said. */
function shortened(message: unknown): unknown {
  const { role, content } = message as { role: string; content: unknown };
  if (!Array.isArray(content)) return message;
  const cut = (block: { type: string; content?: unknown }) =>
    block.type === "tool_result" ? { ...block, content: String(block.content).slice(0, 6) } : block;
  return { role, content: content.map(cut) };
}

/** A message without what its results said. */
function emptied(message: unknown): unknown {
  const { role, content } = message as { role: string; content: unknown };
  if (!Array.isArray(content)) return message;
  return { role, content: content.map((block) => (block.type === "tool_result" ? { ...block, content: "" } : block)) };
}

lists(resultLeftOut, {
  has: [
    {
      name: "the same word for every result",
      agent: saying(() => "ok"),
      script: script(twoTurns),
      ends: "returned",
      says: ["2 resultados", "«ok»", "`read_logs` y `restart_service`", "toolu_", "log of api"],
      found: ["result-left-out"],
    },
    {
      name: "a word that is written in the source",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const { content, stop_reason } = await callModel({ messages, tools });
          if (stop_reason !== "tool_use") return { content, stop_reason };
          messages.push({ role: "assistant", content });
          const results = [];
          for (const block of content) {
            if (block.type !== "tool_use") continue;
            await executeTool(block.name, block.input);
            results.push({ type: "tool_result", tool_use_id: block.id, content: "done" });
          }
          messages.push({ role: "user", content: results });
        }
      },
      script: script(twoAtOnce),
      line: 26,
    },
    {
      name: "the tool's name and a word",
      agent: saying((_, name) => `${name} executed successfully`),
      script: script(threeAtOnce),
      says: ["3 resultados"],
    },
    { name: "one result alone", agent: saying(() => "Hecho"), script: script(oneTurn), says: ["«Hecho»"] },
    {
      name: "no content at all",
      agent: saying(() => undefined),
      script: script(twoTurns),
      says: ["sin nada en `content`", "with nothing in `content`"],
    },
    {
      name: "the text of a value that was never passed on",
      agent: saying(() => String(undefined)),
      script: script(oneTurn),
      says: ["«undefined»"],
    },
    {
      name: "an object alone is lost on its way into the text, and what is a text arrives",
      agent: saying((output) =>
        typeof output === "string" ? output : (JSON.stringify as (...of: unknown[]) => string)(),
      ),
      script: script(twoTurns),
      says: ["1 resultado, sin nada en `content`", "restarted"],
      never: ["texto fijo", "fixed text"],
      found: ["result-left-out"],
    },
    {
      name: "the call itself comes back instead of its result, once",
      agent: loop({
        result: async (call, execute) => {
          const output = await execute(call.name, call.input);
          const content = typeof output === "string" ? output : JSON.stringify(call);
          return { type: "tool_result", tool_use_id: call.id, content };
        },
      }),
      script: script(twoTurns),
      says: ["lo mismo que el modelo había escrito", "what the model itself had written"],
      never: ["texto fijo", "fixed text"],
    },
    ...[
      { name: "a field that the tool's value does not have", say: ({ data }: { data?: unknown }) => ({ data }) },
      { name: "an empty list", say: () => [] },
      { name: "a list of what was not there", say: ({ data }: { data?: unknown }) => [data] },
      { name: "null", say: () => null },
    ].map(({ name, say }) => ({
      name: `as JSON: ${name}`,
      agent: saying((output, tool) => JSON.stringify(tool === "read_logs" ? output : say(output as object))),
      script: script(twoTurns),
      says: ["`restart_service`", "un valor sin nada dentro", "a value with nothing inside"],
      found: ["result-left-out"],
    })),
    {
      name: "an empty object in a text block",
      agent: saying(() => [{ type: "text", text: "{}" }]),
      script: script(oneTurn),
      says: ["`{}`"],
    },
    {
      name: "only the first characters of a short result",
      agent: saying((output) => JSON.stringify(output).slice(0, 12)),
      script: script(twoTurns),
      says: ["2 resultados, cortados", "the rest of it reached it nowhere"],
      never: ["lo que el modelo esperaba leer, y no le llegó"],
      found: ["result-left-out"],
    },
    {
      name: "only the first line",
      agent: saying((output) => String(output).split("\n")[0]),
      script: script(logging("two errors\nthe second {{nonce}}")),
      says: ["«two errors»", "1 resultado, cortado:"],
    },
    {
      name: "only the first line, as JSON",
      agent: saying((output) => JSON.stringify(String(output).split("\n")[0])),
      script: script(logging("two errors\nthe second {{nonce}}")),
      says: ["cut off"],
    },
    { name: "in a text block", agent: saying(() => [{ type: "text", text: "ok" }]), script: script(twoTurns) },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(threeAtOnce)),
    ...honestly(script(failingTool)),
    ...honestly(script(polling.slice(-4))),
    {
      name: "a long result is cut short",
      agent: saying((output) => JSON.stringify(output).slice(0, 500)),
      script: script(logging(`${"a line of a log\n".repeat(200)}{{nonce}}`)),
      headline: null,
    },
    {
      name: "cut short, and it says so",
      agent: saying((output) => `${String(output).slice(0, 10)}… [cut]`),
      script: script(oneTurn),
      headline: null,
    },
    {
      name: "a result is emptied to its first words once it has been read",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: messages.map((message, place) => (place < messages.length - 1 ? shortened(message) : message)),
          tools,
        }),
      }),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "a tool that returns a value with nothing beside its mark",
      agent: saying((output) => JSON.stringify(output)),
      script: script(logging({ items: [], note: "{{nonce}}" })),
      headline: null,
    },
    {
      name: "summed up in a number",
      agent: saying((output) => `${JSON.stringify(output).length} characters`),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "summed up in words",
      agent: saying(() => "no errors found"),
      script: script(oneTurn),
      headline: null,
    },
    {
      name: "one of them brings its value",
      agent: saying((output, name) => (name === "read_logs" ? "ok" : JSON.stringify(output))),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "the value comes beside the result",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          await execute(name, input);
          return { type: "tool_result", tool_use_id: id, content: "see below" };
        },
        user: (results) => [{ role: "user", content: [...results, { type: "text", text: "…" }] }],
        request: ({ messages, tools }) => ({ messages, tools }),
      }),
      script: script(failingTool),
    },
    {
      name: "an old result is emptied once it has been read",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: messages.map((message, place) => (place < messages.length - 1 ? emptied(message) : message)),
          tools,
        }),
      }),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "the value stands behind the id of its call",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          const output = await execute(name, input);
          return { type: "tool_result", tool_use_id: id, content: `${id}: ${JSON.stringify(output)}` };
        },
      }),
      script: script(twoAtOnce),
      headline: null,
    },
    {
      name: "flagged as errors",
      agent: saying(() => "rejected by the host", { is_error: true }),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "never run",
      agent: loop({ result: ({ id }) => ({ type: "tool_result", tool_use_id: id, content: "ok" }) }),
      script: script(twoTurns),
      headline: "tool-not-run",
    },
    {
      name: "an object turned into a text that says nothing",
      agent: saying((output) => String(Object(output) === output ? output : { output })),
      script: script(twoTurns),
      headline: "unserialized-tool-result",
    },
    {
      name: "a promise instead of a result",
      agent: loop({
        result: ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: JSON.stringify(execute(name, input)),
        }),
      }),
      script: script(twoTurns),
      headline: "unawaited-tool",
    },
  ],
});
