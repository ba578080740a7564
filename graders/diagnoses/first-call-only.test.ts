import type { Agent } from "../testing/play.ts";
import { noCall, script, twoAtOnce } from "../testing/scripts.ts";
import firstCallOnly from "./first-call-only.ts";
import { honestly, lists } from "./testing/check.ts";

const one: Agent = async ({ callModel, executeTool, tools, userInput }) => {
  const messages: unknown[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const call = response.content.find((block) => block.type === "tool_use")!;
    const content = JSON.stringify(await executeTool(call.name, call.input));
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content }] });
    response = await callModel({ messages, tools });
  }
  return response;
};

lists(firstCallOnly, {
  has: [{ name: "find takes one call of a turn", agent: one, ends: "returned", says: ["toma una sola llamada"] }],
  hasNot: [
    ...honestly(),
    { name: "where no call is made", agent: one, script: script(noCall), headline: null },
    {
      name: "where a turn has two calls, the trace shows it",
      agent: one,
      script: script(twoAtOnce),
      headline: "dropped-tool-result",
    },
  ],
});
