import { flakyTool, oneTurn, polling, script, twoTurns } from "../testing/scripts.ts";
import missingReassignment from "./missing-reassignment.ts";
import { honestly, lists } from "./testing/check.ts";

lists(missingReassignment, {
  has: [
    {
      name: "the loop never asks the model again",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          const call = response.content.find((block) => block.type === "tool_use")!;
          await executeTool(call.name, call.input);
        }
        return response;
      },
      ends: "missing-reassignment",
      says: ["`read_logs` 26 veces con la misma respuesta", "26 times on the same reply", "`while`", "`response`"],
    },
    {
      name: "the answer is thrown away, so the old turn is pushed again",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            results.push({
              type: "tool_result",
              tool_use_id: block.id,
              content: await executeTool(block.name, block.input),
            });
          }
          messages.push({ role: "user", content: results });
          await callModel({ messages, tools });
        }
        return response;
      },
      ends: "missing-reassignment",
      says: ["26 veces", "no llega a la variable que decide"],
    },
    {
      name: "a variable of the same name in the body, and every error swallowed",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            results.push({
              type: "tool_result",
              tool_use_id: block.id,
              content: await executeTool(block.name, block.input),
            });
          }
          messages.push({ role: "user", content: results });
          try {
            const response = await callModel({ messages, tools });
            results.push(response);
          } catch {
            // goes round again
          }
        }
        return response;
      },
      script: script(oneTurn),
      ends: "missing-reassignment",
      says: ["crea otra variable `response`", "makes another `response`"],
    },
    {
      name: "a cap of its own ends it after ten passes",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const response = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        for (let pass = 0; pass < 10; pass++) {
          if (response.stop_reason !== "tool_use") break;
          for (const block of response.content) {
            if (block.type === "tool_use") await executeTool(block.name, block.input);
          }
        }
        return response;
      },
      ends: "returned",
      says: ["10 veces"],
    },
    {
      name: "run by way of a helper the source does not show",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const kept = { reply: await callModel({ messages: [{ role: "user", content: userInput }], tools }) };
        const again = () => kept.reply.content.filter((block) => block.type === "tool_use");
        while (again().length > 0) for (const { name, input } of again()) await executeTool(name, input);
        return kept.reply;
      },
      ends: "missing-reassignment",
      says: ["26 times"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(polling)).slice(0, 2),
    ...honestly(script(flakyTool)),
    {
      name: "a failed tool is tried again forty times, and a working one is run once",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const first = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        const call = first.content.find((block) => block.type === "tool_use")!;
        let content = "";
        for (let attempt = 0; attempt < 40 && content === ""; attempt++) {
          content = await executeTool(call.name, call.input).catch(() => "");
        }
        const result = { type: "tool_result", tool_use_id: call.id, content };
        return callModel({
          messages: [
            { role: "user", content: userInput },
            { role: "assistant", content: first.content },
            { role: "user", content: [result] },
          ],
          tools,
        });
      },
      script: script([
        {
          calls: [
            {
              tool: "read_logs",
              input: { service: "api" },
              does: [
                ...Array.from({ length: 39 }, () => ({ throws: "busy {{nonce}}" })),
                { returns: "fine {{nonce}}" },
              ],
            },
          ],
        },
        { text: "All is well. {{nonce}}" },
      ]),
      ends: "returned",
    },
    {
      name: "every call is run three times and the conversation goes on",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            let content = "";
            for (let again = 0; again < 3; again++)
              content = JSON.stringify(await executeTool(block.name, block.input));
            results.push({ type: "tool_result", tool_use_id: block.id, content });
          }
          messages.push({ role: "user", content: results });
          response = await callModel({ messages, tools });
        }
        return response;
      },
      headline: "tool-run-twice",
    },
  ],
});
