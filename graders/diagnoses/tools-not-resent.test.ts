import { endless, noCall, oneTurn, script, twoTurns } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import toolsNotResent from "./tools-not-resent.ts";

const once = loop({ request: ({ messages, tools }, turn) => (turn === 0 ? { messages, tools } : { messages }) });

lists(toolsNotResent, {
  has: [
    {
      name: "tools in the first request only",
      agent: once,
      ends: "returned",
      says: ["`read_logs` y `restart_service`"],
    },
    {
      name: "tools that may not be used",
      agent: loop({
        request: (request, turn) => (turn === 0 ? request : { ...request, tool_choice: { type: "none" } }),
      }),
      ends: "returned",
      says: ["`tool_choice` de tipo `none`", "forbids their use"],
      never: ["ninguna.", "ya no tenía", "no longer had", "the next one, none"],
    },
    {
      name: "only the tool that was asked for goes along",
      agent: loop({
        request: ({ messages, tools }, turn) => ({
          messages,
          tools: (tools as { name: string }[]).filter(({ name }) => turn === 0 || name === "read_logs"),
        }),
      }),
      ends: "returned",
      says: ["en la siguiente faltaba `restart_service`"],
      never: ["ninguna.", "none."],
    },
    {
      name: "tools in no request at all",
      agent: loop({ request: ({ messages }) => ({ messages }) }),
      ends: "returned",
      says: ["`read_logs` y `restart_service`", "en la primera petición no iba ninguna"],
      never: ["segunda", "second"],
    },
    {
      name: "an empty list of tools",
      agent: loop({ request: ({ messages }) => ({ messages, tools: [] }) }),
      ends: "returned",
    },
    {
      name: "tools that may never be used",
      agent: loop({ request: (request) => ({ ...request, tool_choice: { type: "none" } }) }),
      says: ["`tool_choice` de tipo `none`"],
      never: ["no iba ninguna", "none of them"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "no tools where none is needed",
      agent: loop({ request: ({ messages }) => ({ messages }) }),
      script: script(noCall),
      headline: null,
    },
    { name: "tools left out where none is needed any more", agent: once, script: script(oneTurn), headline: null },
    {
      name: "a soft cap",
      agent: loop({ request: ({ messages, tools }, turn) => (turn < 6 ? { messages, tools } : { messages }) }),
      script: endless,
      headline: null,
    },
  ],
});
