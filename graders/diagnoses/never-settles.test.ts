import neverSettles from "./never-settles.ts";
import { honestly, lists } from "./testing/check.ts";

lists(neverSettles, {
  has: [
    {
      name: "a promise of its own that nobody resolves",
      agent: () => new Promise(() => {}),
      ends: "never-settles",
      says: ["`resolve`"],
    },
  ],
  hasNot: honestly(),
});
