import type { Agent } from "../testing/play.ts";
import { endless, overloadedOnce, script, threeAtOnce, twoTurns } from "../testing/scripts.ts";
import abortIgnored from "./abort-ignored.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

interface Looks {
  /** Before each request. */
  asking?: boolean;
  /** Before each tool. */
  running?: boolean;
  /** What it does with the signal. */
  leave?(): unknown;
}

/** The honest loop, one tool after the other, that looks at the signal at some points and no others. */
const looking = ({ asking = false, running = false, leave = () => ({ stopped: "aborted" }) }: Looks): Agent => {
  return async ({ callModel, executeTool, tools, userInput, options }) => {
    const messages: unknown[] = [{ role: "user", content: userInput }];
    for (;;) {
      if (asking && options.signal.aborted) return leave();
      const response = await callModel({ messages, tools });
      if (response.stop_reason !== "tool_use") return response;
      messages.push({ role: "assistant", content: response.content });
      const results: unknown[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        if (running && options.signal.aborted) return leave();
        const content = JSON.stringify(await executeTool(block.name, block.input));
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      }
      messages.push({ role: "user", content: results });
    }
  };
};
const throwing = () => {
  throw Object.assign(new Error("aborted"), { name: "AgentStopped" });
};
// Of the trace, event 2 is the first reply and event 4 what its first tool gave.
const AFTER_REPLY = 2;
const AFTER_TOOL = 4;

lists(abortIgnored, {
  has: [
    {
      name: "a loop that never looks",
      agent: honest,
      script: endless,
      cap: 10,
      abortAfter: AFTER_REPLY,
      ends: "no-iteration-cap",
      says: ["tras la respuesta 1", "la herramienta `read_logs`", "30 llamadas al modelo y 30 herramientas"],
      found: ["abort-ignored"],
    },
    {
      name: "the tools of the turn are run to the last",
      agent: looking({ asking: true }),
      script: script(threeAtOnce),
      abortAfter: AFTER_TOOL,
      ends: "returned",
      says: ["the tool `restart_service`; in all, 2 tools"],
    },
    {
      name: "one more request",
      agent: looking({ running: true }),
      script: script(twoTurns),
      abortAfter: AFTER_TOOL,
      says: ["otra llamada al modelo; en total, 1 llamada al modelo."],
    },
    { name: "in a conversation that ends", agent: honest, script: script(twoTurns), abortAfter: AFTER_REPLY },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "it looks before each",
      agent: looking({ asking: true, running: true }),
      script: endless,
      abortAfter: AFTER_REPLY,
      headline: null,
    },
    {
      name: "it looks before each, and throws",
      agent: looking({ asking: true, running: true, leave: throwing }),
      script: endless,
      abortAfter: AFTER_TOOL,
      headline: null,
    },
    {
      name: "tools that were begun at once",
      agent: async ({ callModel, executeTool, tools, userInput, options }) => {
        const { content } = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        await Promise.all(
          content.map((block) => (block.type === "tool_use" ? executeTool(block.name, block.input) : null)),
        );
        return { stopped: String(options.signal.aborted) };
      },
      script: script(threeAtOnce),
      abortAfter: 8,
      headline: null,
    },
    {
      name: "another attempt of a call that was under way",
      agent: looking({ asking: true, running: true }),
      script: script(overloadedOnce),
      abortAfter: AFTER_REPLY,
      headline: null,
    },
    { name: "the end was there before the signal", agent: honest, abortAfter: 10, headline: null },
  ],
});
