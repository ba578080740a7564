import { test } from "vitest";
import { play } from "./play.ts";
test("dbg", async () => {
  const run = await play(async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            results.push({ type: "tool_result", tool_use_id: block.id, content: await executeTool(block.name, block.input) });
          }
          messages.push({ role: "user", content: results });
          await callModel({ messages, tools });
        }
        return response;
  });
  for (const e of run.trace.slice(0, 14)) console.log(e.type, e.turn, e.type === "reply" ? JSON.stringify([e.kind, e.entry, e.error]) : e.type === "tool-call" ? e.name : "");
});
