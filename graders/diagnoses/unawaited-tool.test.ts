import { failingTool, oneTurn, script, twoAtOnce } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import unawaitedTool from "./unawaited-tool.ts";

lists(unawaitedTool, {
  has: [
    {
      name: "the list handed over is one of promises",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const first = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        const results = first.content.map(async (block) => {
          if (block.type !== "tool_use") return null;
          return { type: "tool_result", tool_use_id: block.id, content: await executeTool(block.name, block.input) };
        });
        return callModel({
          messages: [
            { role: "user", content: userInput },
            { role: "assistant", content: first.content },
            { role: "user", content: results },
          ],
          tools,
        });
      },
      script: script(twoAtOnce),
      says: ["viajó una promesa"],
      never: ["en qué línea esperas", "on which line do you wait"],
      line: 9,
    },
    {
      name: "a race among the tools, of which the first is waited for",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const { content } = await callModel({ messages, tools });
        const calls = content.filter((block) => block.type === "tool_use");
        const result = await Promise.race(
          calls.map(async ({ id, name, input }, index) => {
            for (let i = 0; i < 20 * index; i++) await null;
            return { type: "tool_result", tool_use_id: id, content: await executeTool(name, input) };
          }),
        );
        messages.push({ role: "assistant", content }, { role: "user", content: [result] });
        return callModel({ messages, tools });
      },
      script: script(twoAtOnce),
      says: ["con otros resultados y sin esperar a ese"],
      never: ["en qué línea esperas", "on which line do you wait"],
      line: 11,
    },
    {
      name: "forEach with an async callback: the list is still empty",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const first = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        const results: unknown[] = [];
        first.content.forEach(async (block) => {
          if (block.type !== "tool_use") return;
          results.push({
            type: "tool_result",
            tool_use_id: block.id,
            content: await executeTool(block.name, block.input),
          });
        });
        const sent = [...results];
        return callModel({
          messages: [
            { role: "user", content: userInput },
            { role: "assistant", content: first.content },
            { role: "user", content: sent },
          ],
          tools,
        });
      },
      script: script(twoAtOnce),
      says: ["aún estaba vacía", "`read_logs`"],
    },
    {
      name: "a message is sent only when there are results, and there are none yet",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const first = await callModel({ messages, tools });
        const results: unknown[] = [];
        for (const block of first.content) {
          if (block.type !== "tool_use") continue;
          executeTool(block.name, block.input).then((content) =>
            results.push({ type: "tool_result", tool_use_id: block.id, content }),
          );
        }
        messages.push({ role: "assistant", content: first.content });
        if (results.length > 0) messages.push({ role: "user", content: results });
        return callModel({ messages, tools });
      },
      says: ["aún estaba vacía"],
    },
    {
      name: "the promise is the content",
      agent: loop({
        result: ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: execute(name, input),
        }),
      }),
      says: ["`{}`"],
    },
    {
      name: "the promise is written out as JSON, which the API takes",
      agent: loop({
        result: ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: JSON.stringify(execute(name, input)),
        }),
      }),
      ends: "returned",
      says: ["`read_logs`"],
    },
    {
      name: "the promise is put in a text",
      agent: loop({
        result: ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: `Result: ${execute(name, input)}`,
        }),
      }),
    },
    {
      name: "something is read from the promise, and is not there",
      agent: loop({
        result: ({ id, name, input }, execute) => {
          const output = execute(name, input) as { text?: string };
          return { type: "tool_result", tool_use_id: id, content: output.text };
        },
      }),
      says: ["viajó vacío", "it went out empty"],
      found: ["unawaited-tool"],
    },
    {
      name: "the promise lies deeper in what is written out as JSON",
      agent: loop({
        result: ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: JSON.stringify({ result: execute(name, input) }),
        }),
      }),
      says: ["viajó vacío"],
      found: ["unawaited-tool"],
    },
    {
      name: "only the first is waited for",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const { content } = await callModel({ messages, tools });
        const results: unknown[] = [];
        for (const block of content) {
          if (block.type !== "tool_use") continue;
          const coming = executeTool(block.name, block.input).then((output) =>
            results.push({ type: "tool_result", tool_use_id: block.id, content: output }),
          );
          if (results.length === 0) await coming;
        }
        messages.push({ role: "assistant", content }, { role: "user", content: results });
        return callModel({ messages, tools });
      },
      script: script(twoAtOnce),
      says: ["con otros resultados y sin esperar a ese", "`read_logs`"],
      found: ["unawaited-tool"],
    },
    {
      name: "the tool fails with nobody waiting: no result that could have carried a flag",
      agent: loop({
        result: ({ id, name, input }, execute) => {
          const output = execute(name, input);
          output.catch(() => {});
          return { type: "tool_result", tool_use_id: id, content: JSON.stringify(output) };
        },
      }),
      script: script(failingTool),
      found: ["unawaited-tool"],
    },
  ],
  hasNot: [
    ...honestly(script(twoAtOnce)),
    {
      name: "promises for calls that were never run",
      agent: loop({
        calls: () => [],
        user: (_, response) => [{ role: "user", content: response.content.map(async () => ({ type: "tool_result" })) }],
      }),
      headline: "dropped-tool-result",
    },
    ...[
      { name: "the list of results is never filled", user: () => [{ role: "user", content: [] }] },
      { name: "empty objects where the results should be", user: () => [{ role: "user", content: [{}] }] },
      { name: "no message with results at all", user: () => [] },
      {
        name: "a message with a result, not in a list of its own",
        user: (results: object[]) => [...results, { role: "user", content: [] }],
        headline: "malformed-tool-result",
      },
    ].map(({ name, user, headline = "dropped-tool-result" }) => ({
      name: `the tools were waited for: ${name}`,
      agent: loop({ user }),
      headline,
    })),
    {
      name: "a tool that returns an empty object",
      agent: loop({}),
      script: script([
        {
          calls: [
            { tool: "read_logs", input: { service: "api" }, does: { returns: { "{{nonce}}": 1, note: "{{nonce}}" } } },
          ],
        },
        ...oneTurn.slice(1),
      ]),
    },
    {
      name: "the tool was waited for: `{}` is what the loop took of its result",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          const { data } = await execute(name, input);
          return { type: "tool_result", tool_use_id: id, content: JSON.stringify({ data }) };
        },
      }),
    },
    {
      name: "a tool that hangs is given up, and its call left out",
      agent: loop({
        result: ({ id, name, input }, execute) =>
          Promise.race([
            execute(name, input).then((content) => ({ type: "tool_result", tool_use_id: id, content })),
            new Promise<object>((done) => setImmediate(done, { type: "text", text: "too slow" })),
          ]) as Promise<Record<string, unknown>>,
        user: (results) => [
          { role: "user", content: results.toSorted((a, b) => (String(a.type) > String(b.type) ? -1 : 1)) },
        ],
      }),
      script: script([
        {
          calls: [
            { tool: "read_logs", input: { service: "api" }, does: { hangs: true } },
            { tool: "read_logs", input: { service: "db" }, does: { returns: "log {{nonce}}" } },
          ],
        },
        ...oneTurn.slice(1),
      ]),
      headline: "dropped-tool-result",
    },
    {
      name: "an object as the result",
      agent: loop({
        result: async ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: { value: await execute(name, input) },
        }),
      }),
      headline: "unserialized-tool-result",
    },
  ],
});
