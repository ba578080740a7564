import { expect, test } from "vitest";
import { play } from "../testing/play.ts";
import type { Outcome } from "../trace/run.ts";
import { howItEnded } from "./endings.ts";

test.each<[Outcome, string | null, Record<string, number>]>([
  ["threw", null, {}],
  ["crashed", "uncaught", {}],
  ["crashed", "exited", { code: 1 }],
  ["crashed", "exited", { brokenChannel: 1 }],
  ["crashed", "out-of-memory", {}],
  ["looped", "busy-loop", { cpuMs: 1500, passes: 9000 }],
  ["looped", "busy-loop", { cpuMs: 1500 }],
  ["looped", "idle-loop", { timers: 9000 }],
  ["looped", "missing-reassignment", {}],
  ["stalled", "never-settles", {}],
  ["stalled", "out-of-time", { limitMs: 20_000 }],
  ["blocked", "network", {}],
  ["blocked", "filesystem", {}],
  ["blocked", "process", {}],
])("how a run ended is told in words: %s, %s", async (outcome, kind, measured) => {
  const played = await play(async () => null);
  const { es, en } = howItEnded({ ...played, outcome, kind, measured });
  expect(es).not.toBe(en);
  for (const id of [outcome, kind ?? outcome].filter(
    (each) => each !== "threw" && each !== "process" && each !== "network",
  )) {
    expect(`${es} ${en}`).not.toContain(id);
  }
});
