import { expect, test } from "vitest";
import type { BehaviourRow } from "../../audit/report.ts";
import type { RunGrade } from "../../grading/grade.ts";
import { mixed } from "../testing/audit-samples.ts";
import { causesOf } from "./causes.ts";

const SAMPLE = mixed().behaviours.find(({ status }) => status === "fails")!;
const at = (line: number) => ({ file: "agent.ts", line, column: 1 });

interface Made {
  /** Of the row: what tells it. */
  diagnosis?: string | null;
  line?: number;
  severity?: BehaviourRow["severity"];
  /** What its conversation was found to show: `id:line`. */
  found?: string;
  /** The line that threw. */
  threw?: number;
  error?: string;
  rejected?: number;
}

function row(id: string, made: Made): BehaviourRow {
  const {
    diagnosis = null,
    line = 10,
    severity = "harms",
    found,
    threw,
    error = "No runner is set",
    rejected = 0,
  } = made;
  const [name = "", where = ""] = (found ?? (diagnosis === null ? "" : `${diagnosis}:${line}`)).split(":");
  const sample = SAMPLE.runs[0]!;
  const finding = { ...sample.findings[0]!, id: name, weight: "fault" as const, at: at(Number(where)) };
  const run: RunGrade = {
    ...sample,
    outcome: threw === undefined ? "returned" : "threw",
    findings: name === "" ? [] : [finding],
    error: threw === undefined ? null : { name: "Error", message: error, at: at(threw), stack: [] },
    counts: { ...sample.counts, rejected, faulted: 0 },
  };
  return { ...SAMPLE, id, diagnosis, at: at(line), severity, runs: [run] };
}

/** Each cause as the ids of its rows, the one that tells it first. */
function told(...rows: BehaviourRow[]): string[] {
  return causesOf(rows).map((cause) =>
    [cause.told, ...cause.rows.filter((each) => each !== cause.told)].map(({ id }) => id).join(" "),
  );
}

test.each<[string, Made, Made, string]>([
  ["the same diagnosis at the same line", { diagnosis: "x" }, { diagnosis: "x" }, "a b"],
  [
    "what one tells was found in the other",
    { found: "dropped-tool-result:10" },
    { diagnosis: "dropped-tool-result" },
    "b a",
  ],
  ["the same was found in both, and neither tells it", { found: "x:10" }, { found: "x:10" }, "a b"],
  ["the same line threw", { threw: 7 }, { diagnosis: "unknown-tool-crashes", line: 8, threw: 7 }, "b a"],
  [
    "one diagnosis brings the other about, both uncaught",
    { diagnosis: "tool-error-crashes", line: 8, threw: 8 },
    { diagnosis: "unknown-tool-crashes", line: 7, threw: 7 },
    "a b",
  ],
  [
    "any words are taken for the answer, at the same line",
    { diagnosis: "preamble-as-answer" },
    { diagnosis: "cut-stream-as-answer" },
    "a b",
  ],
  [
    "the API said the same, but for the ids",
    { diagnosis: "threw", threw: 10, rejected: 1, error: "400 no result for toolu_01a" },
    { found: "threw:10", threw: 10, rejected: 1, error: "400 no result for toolu_02b" },
    "a b",
  ],
  ["advice tells last", { diagnosis: "x", severity: "advice" }, { diagnosis: "x" }, "b a"],
])("one cause: %s", (_what, a, b, expected) => {
  expect(told(row("a", a), row("b", b))).toEqual([expected]);
});

test.each<[string, Made, Made]>([
  ["two diagnoses at one line", { diagnosis: "truncated-as-answer" }, { diagnosis: "refusal-as-answer" }],
  ["one diagnosis at two lines", { diagnosis: "x", line: 10 }, { diagnosis: "x", line: 11 }],
  ["two rows in words of their own at one line", {}, {}],
  ["two lines that throw", { threw: 7 }, { threw: 8 }],
  [
    "two requests of one line that the API turned down",
    { found: "threw:10", threw: 10, rejected: 1, error: "400 prefill is not supported" },
    { found: "threw:10", threw: 10, rejected: 1, error: "400 no result" },
  ],
  [
    "what is left between conversations, and an error in one that stood alone",
    { diagnosis: "state-shared-between-runs", threw: 9 },
    { diagnosis: "unknown-tool-crashes", threw: 7 },
  ],
  [
    "one diagnosis may bring the other about, and not in another conversation",
    { diagnosis: "dropped-thinking" },
    { diagnosis: "rejected-request-retried" },
  ],
])("two causes: %s", (_what, a, b) => {
  expect(told(row("a", a), row("b", b))).toEqual(["a", "b"]);
});

test("what joins two causes makes them one, in the place of the first", () => {
  const rows = [row("a", { diagnosis: "x", threw: 5 }), row("c", {}), row("b", { found: "y:9" })];
  expect(told(...rows)).toEqual(["a", "c", "b"]);
  expect(told(...rows, row("d", { diagnosis: "y", line: 9, threw: 5 }))).toEqual(["a b d", "c"]);
});
