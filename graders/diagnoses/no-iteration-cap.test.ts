import { endless, polling, script } from "../testing/scripts.ts";
import noIterationCap from "./no-iteration-cap.ts";
import { honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(noIterationCap, {
  has: [
    {
      name: "a loop without a cap, where the exercise asks for one",
      agent: honest,
      script: endless,
      cap: 10,
      ends: "no-iteration-cap",
      says: ["31 respuestas", "31 replies"],
    },
    {
      name: "a loop without a cap, where nothing is asked",
      agent: honest,
      script: endless,
      ends: "no-iteration-cap",
      says: ["251 respuestas"],
    },
  ],
  hasNot: [
    ...honestly(script(polling)).slice(0, 2),
    {
      name: "a cap twice as large as asked",
      agent: loop({ on: (_, turn) => turn < 25 }),
      script: endless,
      cap: 10,
      ends: "returned",
    },
    {
      name: "a soft cap: the last request offers no tools",
      agent: loop({ request: (request, turn) => (turn < 10 ? { ...request } : { messages: request.messages }) }),
      script: endless,
      cap: 10,
      headline: null,
    },
  ],
});
