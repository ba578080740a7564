import { expect, test } from "vitest";
import { LANGS } from "../trace/text.ts";
import { behaviours } from "./audit.ts";
import { honest } from "./testing/honest.ts";
import { playRow, quoteless } from "./testing/rows.ts";

/** What an honest loop need not show, by the tools it has. */
const SPARED: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  stubbed: [],
  own: ["tool-throws", "one-of-two-throws"],
  none: ["tool-throws", "one-of-two-throws"],
};

for (const tools of ["kit", "stubbed", "own", "none"] as const) {
  for (const [name, agent] of Object.entries(honest)) {
    test(`${name}, an honest loop (tools: ${tools}): nothing fails`, async () => {
      const rows = [];
      for (const behaviour of behaviours) {
        const { verdict } = await playRow(behaviour, { agent, tools, lang: tools === "kit" ? "es" : "en" });
        if (verdict === null) continue;
        for (const lang of LANGS) expect(quoteless(verdict.message[lang])).not.toMatch(/undefined|null|\[object/);
        if (verdict.status !== "holds") rows.push([behaviour.id, verdict.status, verdict.message.en]);
      }
      const told = rows.filter(([id = "", status]) => {
        if (id === "mid-stream-error" && name !== "streaming") return status !== "not-applicable";
        const unseen = tools === "own" ? "not-observable" : "not-applicable";
        return status !== unseen || !SPARED[tools]?.includes(id);
      });
      expect(told).toEqual([]);
    });
  }
}
