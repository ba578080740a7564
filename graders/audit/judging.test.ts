import { expect, test } from "vitest";
import { diagnose } from "../diagnoses/catalog/catalog.ts";
import { play } from "../testing/play.ts";
import { behaviours, severityOf } from "./audit.ts";
import type { Behaviour, Seen } from "./behaviour.ts";
import { fails, firstSentence, holds, judged, notObservable, together, unseen } from "./judging.ts";
import { blank, loop } from "./testing/loops.ts";
import { playRow } from "./testing/rows.ts";

const text = (words: string) => ({ es: words, en: words });

test.each([
  ["It stopped. The model waited.", "It stopped."],
  ['It said "Fine. All is well" and ended. So it was.', 'It said "Fine. All is well" and ended.'],
  ["`agent.ts` has 2.5 s. «Y así. Fue»", "`agent.ts` has 2.5 s."],
  ["Terminó. ¿Por qué?", "Terminó."],
  ["One alone", "One alone"],
])("of several sentences the first: %s", (all, first) => {
  expect(firstSentence(all)).toBe(first);
});

test("of several runs the worst failure is told, with its place", () => {
  const told = together([
    fails(text("A."), { severity: "advice" }),
    holds(text("B.")),
    fails(text("C."), { severity: "breaks" }),
    fails(text("D.")),
  ]);
  expect(told).toMatchObject({ status: "fails", message: text("C."), run: 2 });
});

test("what could not be seen comes before what holds", () => {
  expect(together([holds(text("A.")), notObservable(text("B."))])).toMatchObject({ status: "not-observable", run: 1 });
});

test("where all hold each is told, and the same but once", () => {
  expect(together([holds(text("A.")), holds(text("B.")), holds(text("A."))])).toEqual(holds(text("A. B.")));
  expect(together([holds(text("A.")), holds(text("B."))], text("Both."))).toEqual(holds(text("Both.")));
});

test("what an error kept from being seen is told in that error's words", async () => {
  const run = await play(blank);
  const told = unseen({ ...run, findings: diagnose(run) }).message;
  expect(told.en).toBe('It could not be seen: the loop threw `Error`: "No key is set".');
  expect(told.es).toContain("«No key is set»");
});

/** An object for a result, which the API rejects; the error is swallowed. */
const rejected = loop({
  results: (_, reply) =>
    reply.content
      .filter(({ type }) => type === "tool_use")
      .map((call) => ({ type: "tool_result", tool_use_id: (call as { id: string }).id, content: { done: true } })),
  failed: () => "Sorry, something went wrong.",
});

test("in no row does a loop hold whose request the API rejected", async () => {
  const rows = await Promise.all(
    behaviours.map(async (behaviour) => ({ behaviour, ...(await playRow(behaviour, { agent: rejected })) })),
  );
  const broken = rows.filter(({ runs }) => runs.some(({ counts }) => counts.rejected > 0));
  expect(broken.length).toBeGreaterThan(8);
  for (const { behaviour, verdict, runs } of broken) {
    // What another row has told is not told again.
    expect(["fails", "not-observable"], behaviour.id).toContain(verdict?.status);
    if (verdict?.status === "fails") expect(severityOf(behaviour, verdict, runs), behaviour.id).toBe("breaks");
  }
});

test("what a row could not see for a rejection is no failure again once a row before has told of it", async () => {
  const behaviour = behaviours.find(({ id }) => id === "empty-end")!;
  const { runs } = await playRow(behaviour, { agent: rejected });
  const seen: Seen = { tools: "kit", maxCalls: 60, clock: "virtual", plain: null, endless: null, told: new Set() };
  expect(judged(behaviour, runs, seen).diagnosis).toBe("unserialized-tool-result");
  const later = { ...seen, told: new Set(["unserialized-tool-result"]) };
  expect(judged(behaviour, runs, later).status).toBe("not-observable");
  const holding: Behaviour = { ...behaviour, judge: () => holds(text("All is well.")) };
  expect(judged(holding, runs, later).status).toBe("fails");
});

test("what went wrong in the first row is told there, and in the others it is referred to", async () => {
  const told = async (id: string) => {
    const { verdict } = await playRow(behaviours.find((each) => each.id === id)!, { agent: rejected });
    return verdict?.message.en;
  };
  expect(await told("rounds")).toContain("went out as an object");
  for (const id of ["full-history", "no-text-turn", "endless-model", "empty-end"]) {
    expect(await told(id)).toBe("It could not be seen: the same happened as in the first row.");
  }
});
