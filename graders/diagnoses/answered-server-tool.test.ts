import type { Agent } from "../testing/play.ts";
import { oneTurn, script } from "../testing/scripts.ts";
import answeredServerTool from "./answered-server-tool.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentive, attentively, telling } from "./testing/stops.ts";

const search = { query: "status of api", finds: "all green {{nonce}}" };
const paused = script([
  { text: "I am searching. {{nonce}}", search, stopReason: "pause_turn" },
  { text: "All is well. {{nonce}}" },
]);
/** A search that is done, beside a call of the host's own. */
const beside = script([{ ...oneTurn[0], search }, { text: "All is well. {{nonce}}" }]);

/** Runs and answers whatever block ends in `tool_use`; `run` makes a result's content. */
const answersAll =
  (
    run: (name: string, input: unknown, execute: (name: string, input: unknown) => Promise<unknown>) => unknown,
  ): Agent =>
  async ({ callModel, executeTool, tools, userInput }) => {
    const messages: unknown[] = [{ role: "user", content: userInput }];
    for (;;) {
      const response = await callModel({ messages, tools });
      const calls = response.content.filter((block) => block.type.endsWith("tool_use"));
      if (calls.length === 0) return response;
      messages.push({ role: "assistant", content: response.content });
      const results: unknown[] = [];
      for (const call of calls as { id: string; name: string; input: unknown }[]) {
        const content = await run(call.name, call.input, executeTool);
        results.push({ type: "tool_result", tool_use_id: call.id, content });
      }
      messages.push({ role: "user", content: results });
    }
  };

lists(answeredServerTool, {
  has: [
    {
      name: "an empty result for a search that is still at work",
      agent: answersAll((name, input, execute) => (name === "web_search" ? "" : execute(name, input))),
      script: paused,
      ends: "threw",
      says: ["srvtoolu_", "`web_search`", "unexpected `tool_use_id`"],
      found: ["answered-server-tool"],
      line: 11,
    },
    {
      name: "a search that is done is answered beside the host's own call",
      agent: answersAll((name, input, execute) => (name === "web_search" ? "done" : execute(name, input))),
      script: beside,
      found: ["answered-server-tool"],
    },
    {
      name: "it is run too, fails, and the error is sent",
      agent: answersAll((name, input, execute) => execute(name, input).catch(String)),
      script: paused,
      found: ["answered-server-tool"],
    },
    {
      name: "it is run, and the loop goes down with it",
      agent: answersAll((name, input, execute) => execute(name, input)),
      script: paused,
      ends: "threw",
      says: ["Tu código quiso ejecutar `web_search`", "srvtoolu_"],
      found: ["answered-server-tool"],
    },
  ],
  hasNot: [
    ...honestly(script(oneTurn)),
    ...honestly(beside),
    ...attentively(beside),
    { name: "attentive, an honest loop", agent: attentive, script: paused, headline: null },
    { name: "telling, an honest loop", agent: telling, script: paused, headline: null },
  ],
});
