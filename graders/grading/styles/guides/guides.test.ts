/** The forms of the loop that many guides show: what each fails, and just what it is told there, headline first. */
import { describe, expect, test } from "vitest";
import { type Conversation, conversations } from "../testing/conversations.ts";
import { type Handed, handIn, programsIn } from "../testing/programs.ts";
import { DRAWS, openExercises, openWholeHarness } from "../testing/rooms.ts";

interface Form extends Handed {
  name: string;
  /** Exercises it does not pass: the criteria it loses, and what is found in each scenario. */
  exercises: Readonly<Record<string, { loses: readonly string[]; told: Readonly<Record<string, readonly string[]>> }>>;
  /** Conversations in which it does not show what it should, and what is found there. */
  fails: Partial<Record<Conversation, readonly string[]>>;
  /** Conversations in which it does, and is told something all the same. */
  noted: Partial<Record<Conversation, readonly string[]>>;
}

/** Nobody approves anything: so it is with every one of them. */
const UNGATED: Form["exercises"] = {
  "2.6": {
    loses: ["refused-never-run", "model-is-told", "the-rest-goes-on"],
    told: {
      "migration-outside-the-window": ["unapproved-call-run"],
      "migration-refused-beside-another-call": ["unapproved-call-run"],
      "migration-asks-again-inside": ["unapproved-call-run"],
    },
  },
};

/** A tool that throws ends the loop, and so does one that does not exist. */
const CRASHES: Form["fails"] = {
  "tool-throws": ["tool-error-crashes"],
  "one-of-two-throws": ["tool-error-crashes"],
  "fails-at-first": ["tool-error-crashes"],
  "unknown-tool": ["unknown-tool-crashes"],
  "unknown-beside-known": ["unknown-tool-crashes"],
};

/** Every reply that asks for no tool is taken for the answer. */
const ANYTHING_IS_AN_ANSWER: Form["fails"] = {
  "cut-text": ["truncated-as-answer"],
  "context-window": ["context-window-as-answer"],
  refusal: ["refusal-as-answer"],
  "paused-once": ["pause-turn-as-end"],
  "paused-twice": ["pause-turn-as-end"],
};

/** Calls are left alone in a reply that does not stop for them, but its text is returned. */
const CUT_CALLS_ARE_LEFT: Form["fails"] = {
  "cut-call": ["truncated-as-answer"],
  "cut-call-looks-whole": ["truncated-as-answer"],
  "refused-call": ["refusal-as-answer"],
};

/** Calls are run wherever they stand. */
const CUT_CALLS_ARE_RUN: Form["fails"] = {
  "cut-call": ["truncated-tool-call-run"],
  "cut-call-looks-whole": ["truncated-tool-call-run"],
  "refused-call": ["refused-tool-call-run"],
};

const ONE_CALL = ["first-call-only"];
const DROPPED = ["dropped-tool-result"];

const cappedFor: Omit<Form, "name" | "fails"> = {
  program: "guides/capped-for-with-break",
  exercises: UNGATED,
  noted: {},
};
const cappedForFails = { ...CRASHES, ...ANYTHING_IS_AN_ANSWER, ...CUT_CALLS_ARE_RUN };

const forms: Form[] = [
  {
    name: "skeleton",
    program: "guides/skeleton",
    exercises: {
      "2.3": {
        loses: ["asks-until-done", "answers-every-call", "keeps-the-history", "returns-the-text"],
        told: {
          "on-call-restart-and-verify": ONE_CALL,
          "on-call-two-logs-in-one-turn": DROPPED,
          "on-call-long-night": DROPPED,
        },
      },
      "2.4": {
        loses: ["runs-every-call", "answers-in-one-message", "reaches-the-end"],
        told: { "weather-two-cities-at-once": DROPPED, "weather-three-readings-at-once": DROPPED },
      },
      "2.5": {
        loses: ["whole-turns", "results-find-their-call", "reaches-the-end"],
        told: { "calendar-thinks-first": DROPPED },
      },
      "2.6": {
        ...UNGATED["2.6"]!,
        told: { ...UNGATED["2.6"]!.told, "migration-refused-beside-another-call": DROPPED },
      },
    },
    fails: {
      "parallel-calls": DROPPED,
      "redacted-thinking": DROPPED,
      "tool-throws": ["tool-error-crashes", ...ONE_CALL],
      "one-of-two-throws": DROPPED,
      "fails-at-first": ["tool-error-crashes", ...ONE_CALL],
      "unknown-tool": ["unknown-tool-crashes"],
      "unknown-beside-known": DROPPED,
      "cut-text": ["truncated-as-answer", ...ONE_CALL],
      "context-window": ["context-window-as-answer", ...ONE_CALL],
      refusal: ["refusal-as-answer", ...ONE_CALL],
      ...CUT_CALLS_ARE_LEFT,
      "paused-once": ["pause-turn-as-end", ...ONE_CALL],
      "paused-twice": ["pause-turn-as-end"],
      "cut-stream": DROPPED,
      endless: ["no-iteration-cap", ...ONE_CALL],
    },
    noted: {
      "one-call-a-turn": ONE_CALL,
      "calls-without-text": ONE_CALL,
      "thinks-first": ONE_CALL,
      "empty-end": ONE_CALL,
      "stop-sequence": ONE_CALL,
      "unknown-stop-reason": ONE_CALL,
      "rate-limited": ONE_CALL,
      overloaded: ONE_CALL,
      "mid-stream-error": ONE_CALL,
    },
  },
  {
    name: "until end_turn",
    program: "guides/until-end-turn",
    exercises: UNGATED,
    fails: {
      ...CRASHES,
      ...CUT_CALLS_ARE_RUN,
      "stop-sequence": ["kept-going-after-end"],
      "unknown-stop-reason": ["kept-going-after-end"],
      // Nothing to answer, so the message with the results is empty.
      "cut-text": ["empty-message-pushed"],
      "context-window": ["empty-message-pushed"],
      refusal: ["refusal-retried"],
      "paused-once": ["pause-turn-with-new-message"],
      "paused-twice": ["pause-turn-with-new-message"],
      endless: ["no-iteration-cap"],
    },
    noted: {},
  },
  { ...cappedFor, name: "capped for, last text", fails: { ...cappedForFails, endless: ["preamble-as-answer"] } },
  {
    ...cappedFor,
    name: "capped for, nothing after it",
    edits: {
      "if (calls.length === 0) break;": "if (calls.length === 0) return finalText;",
      "\n  return finalText;\n}": "}",
    },
    fails: { ...cappedForFails, endless: ["cap-returns-nothing"] },
  },
  {
    name: "errors as text",
    program: "guides/errors-as-text",
    exercises: UNGATED,
    fails: {
      ...ANYTHING_IS_AN_ANSWER,
      ...CUT_CALLS_ARE_LEFT,
      "tool-throws": ["tool-error-unflagged"],
      "one-of-two-throws": ["tool-error-unflagged"],
      "fails-at-first": ["tool-error-unflagged"],
      "unknown-tool": ["tool-error-unflagged"],
      "unknown-beside-known": ["tool-error-unflagged"],
      endless: ["no-iteration-cap"],
    },
    noted: {},
  },
];

const handed = forms.map((form) => ({ ...form, folder: handIn(form) }));

test("every guide is in the table", () => {
  expect(new Set(forms.map(({ program }) => program))).toEqual(
    new Set(programsIn("guides").map((name) => `guides/${name}`)),
  );
});

describe.each(DRAWS)("$seed", (draw) => {
  const gradeOn = openExercises(draw);
  const hold = openWholeHarness(draw);

  test.each(handed)("$name: what it loses in lesson 2", async ({ folder, exercises }) => {
    for (const id of ["2.3", "2.4", "2.5", "2.6"]) {
      const { criteria, runs } = await gradeOn(folder, id);
      const loses = criteria.filter(({ status }) => status !== "passed").map((criterion) => criterion.id);
      const told = runs.flatMap(({ scenario, findings }) => {
        return findings.length === 0 ? [] : [[scenario, findings.map((finding) => finding.id)]];
      });
      expect({ id, loses, told: Object.fromEntries(told) }).toEqual({
        id,
        ...(exercises[id] ?? { loses: [], told: {} }),
      });
    }
  });

  test.each(handed)("$name: how it gets on with a whole harness", async ({ folder, fails, noted }) => {
    for (const name of Object.keys(conversations) as Conversation[]) {
      const { lacks, found } = await hold(folder, name);
      expect({ name, fails: lacks.length > 0, told: found.map(({ id }) => id) }).toEqual({
        name,
        fails: fails[name] !== undefined,
        told: fails[name] ?? noted[name] ?? [],
      });
    }
  });
});
