import { expect, test } from "vitest";
import { play } from "../testing/play.ts";
import type { Outcome } from "../trace/run.ts";
import { howItEnded, thrownSaid } from "./endings.ts";

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

const answer = (message: string) =>
  `400 ${JSON.stringify({ type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" })}`;
const bad = (message: string) => ({ name: "BadRequestError", message, stack: [] });

test("of an error with the API's answer the API's words are told, and not its JSON", () => {
  const told = thrownSaid(bad(answer('messages.0: "role" is missing')));
  expect(told.en).toBe(`\`BadRequestError\`: "400 invalid_request_error: messages.0: 'role' is missing"`);
  expect(told.es).toBe("`BadRequestError`: «400 invalid_request_error: messages.0: 'role' is missing»");
});

test("a long answer of the API's is cut, and its quotes closed", () => {
  const { en } = thrownSaid(bad(answer("x".repeat(500))), 100);
  expect(en).toMatch(/^`BadRequestError`: "400 invalid_request_error: x+…"$/);
});

test.each(["400 {not JSON", "too many turns", '400 {"type":"error"}', ""])(
  "other words stay as they are: %j",
  (message) => {
    expect(thrownSaid(bad(message)).en).toContain(message);
  },
);
