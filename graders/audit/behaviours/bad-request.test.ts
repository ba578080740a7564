import { full, status, streaming } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./bad-request.ts";

rows(behaviour, {
  holds: [
    { name: "it throws", agent: full, says: ["prompt is too long"] },
    { name: "by streaming, no tools", agent: streaming, tools: "none" },
    { name: "a status", agent: status, says: ["error"] },
    {
      name: "it sends less",
      agent: async (hands) => {
        const ask = (content: string) => hands.callModel({ messages: [{ role: "user", content }], tools: hands.tools });
        return ask(hands.userInput).catch(() => ask(hands.userInput.slice(0, 10)));
      },
      says: ["otra distinta"],
    },
    { name: "an apology", agent: loop({ failed: () => "Lo siento. Inténtalo más tarde." }) },
    { name: "words of its own", agent: loop({ failed: () => "Sorry, something went wrong." }) },
  ],
  fails: [
    {
      name: "once more",
      agent: loop({ retry: (_, times) => times < 2 }),
      severity: "harms",
      says: ["2 veces en total"],
    },
    { name: "it swallows it", agent: loop({ failed: () => "" }), severity: "harms" },
    { name: "words that say nothing of it", agent: loop({ failed: () => "All done." }), says: ["All done."] },
    {
      name: "it hides it",
      agent: loop({ failed: (error) => (error as unknown as { body: { a: 1 } }).body.a }),
      says: ["TypeError"],
    },
  ],
  others: [
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
    { name: "it returns nothing", agent: loop({ failed: () => undefined }), status: "not-observable" },
  ],
});
