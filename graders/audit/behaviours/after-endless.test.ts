import { full, library, status, strict } from "../testing/honest.ts";
import { blank, counting, loop, sharing } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./after-endless.ts";

const MIXED = "state-shared-between-runs";

rows(behaviour, {
  holds: [
    { name: "a status at the cap", agent: full, says: ["got to its end"] },
    { name: "it throws at the cap", agent: strict },
    { name: "one more request at the cap, without tools", agent: status },
    { name: "tools of its own", agent: library, tools: "own" },
  ],
  fails: [
    {
      name: "one count of turns for all",
      agent: counting(),
      anew: counting(),
      diagnosis: MIXED,
      run: 1,
      severity: "harms",
    },
    {
      name: "one count of turns for all, tools of its own",
      agent: counting(),
      anew: counting(),
      tools: "own",
      diagnosis: MIXED,
      run: 1,
    },
    { name: "one list of messages for all, and a cap", agent: sharing(12), diagnosis: MIXED, run: 1 },
  ],
  others: [
    {
      name: "it never ends the endless one",
      agent: loop({ cap: 999 }),
      status: "not-applicable",
      says: ["no la cortó el bucle"],
    },
    { name: "no tools to go on with", agent: strict, tools: "none", status: null },
    {
      name: "each conversation has a process",
      agent: strict,
      clock: "real",
      status: "not-applicable",
      says: ["process of its own"],
    },
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
    { name: "one round and no more", agent: loop({ on: () => false }), status: "not-observable" },
    {
      name: "it ends every conversation after one turn, alone or not",
      agent: loop({ cap: 1 }),
      anew: loop({ cap: 1 }),
      status: "not-observable",
    },
  ],
});
