import { full, library, streaming } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./overloaded.ts";

rows(behaviour, {
  holds: [
    { name: "as the SDK does", agent: full, says: ["3 intentos", "529 dos veces"] },
    { name: "by streaming, tools of its own", agent: streaming, tools: "own" },
    { name: "a library's result", agent: library },
    { name: "by itself", agent: loop({ retry: (_, times) => times < 4 }), attempts: 1 },
  ],
  fails: [
    { name: "it insists for ever", agent: loop({ retry: () => true }), severity: "breaks", diagnosis: "retry-storm" },
    { name: "it throws at once", agent: loop(), attempts: 1, severity: "advice", says: ["respondió 529,"] },
    { name: "one more try and no third", agent: loop(), attempts: 2, severity: "advice", says: ["dos veces"] },
    { name: "it swallows it", agent: loop({ failed: () => ({ text: "" }) }), attempts: 2, severity: "harms" },
  ],
  others: [{ name: "it throws before it asks", agent: blank, status: "not-observable" }],
});
