import { full, library, status, streaming } from "../testing/honest.ts";
import { blank, loop, sharing } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./two-at-once.ts";

rows(behaviour, {
  holds: [
    { name: "the Message", agent: full },
    { name: "by streaming, no tools", agent: streaming, tools: "none" },
    { name: "tools of its own", agent: library, tools: "own" },
    { name: "a status", agent: status },
  ],
  fails: [
    { name: "one list of messages for all", agent: sharing(), diagnosis: "state-shared-between-runs" },
    { name: "one list of messages for all, no tools", agent: sharing(), tools: "none" },
    { name: "one list of messages for all, tools of its own", agent: sharing(), tools: "own" },
  ],
  others: [
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
    { name: "one round and no more", agent: loop({ on: () => false }), status: "not-observable" },
  ],
});
