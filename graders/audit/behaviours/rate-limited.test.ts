import { full, status, streaming } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./rate-limited.ts";

rows(behaviour, {
  holds: [
    { name: "as the SDK does", agent: full, says: ["2 intentos"] },
    { name: "by streaming", agent: streaming },
    { name: "no tools", agent: full, tools: "none" },
    { name: "by itself", agent: loop({ retry: (_, times) => times < 3 }), attempts: 1 },
  ],
  fails: [
    { name: "it throws at once", agent: loop(), attempts: 1, severity: "advice", diagnosis: "overload-not-retried" },
    { name: "it says so at once", agent: status, attempts: 1, severity: "advice" },
    {
      name: "it swallows it",
      agent: loop({ failed: () => "All is well." }),
      attempts: 1,
      severity: "harms",
      says: ["Nada de eso dice que hubo un error"],
    },
    {
      name: "it trips over it",
      agent: loop({ failed: () => (undefined as unknown as string).length }),
      attempts: 1,
      severity: "harms",
    },
  ],
  others: [
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
    { name: "it returns nothing", agent: loop({ failed: () => undefined }), attempts: 1, status: "not-observable" },
  ],
});
