import { honest } from "../testing/agents.ts";
import { honestly, lists } from "../testing/check.ts";
import diagnosis from "./diagnosis.ts";

lists(diagnosis, {
  has: [{ name: "write here, in place of an honest loop, the smallest one that makes the mistake", agent: honest }],
  hasNot: [...honestly()],
});
