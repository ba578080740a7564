import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import unawaitedModel from "./unawaited-model.ts";

lists(unawaitedModel, {
  has: [
    {
      name: "the content of a promise is read",
      agent: async ({ callModel, tools, userInput }) => {
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        const response: any = callModel({ messages: [{ role: "user", content: userInput }], tools });
        return response.content.filter((block: { type: string }) => block.type === "text");
      },
      ends: "threw",
      says: ["`TypeError`"],
    },
    {
      name: "the condition reads a promise, so the loop is never entered",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        const response: any = callModel({ messages: [{ role: "user", content: userInput }], tools });
        while (response.stop_reason === "tool_use") await executeTool("read_logs", {});
        return response;
      },
      ends: "returned",
      says: ["pidió `read_logs`"],
    },
    {
      name: "the function ends with nothing before the model has answered",
      agent: async ({ callModel, tools, userInput }) => {
        callModel({ messages: [{ role: "user", content: userInput }], tools });
      },
      ends: "returned",
      says: ["terminó sin esperarla"],
    },
  ],
  hasNot: [
    ...honestly(),
    { name: "a loop that stops early but waits", agent: loop({ on: () => false }), headline: "stopped-early" },
  ],
});
