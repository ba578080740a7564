import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { ExerciseGrade } from "../../grading/grade.ts";
import { LANGS } from "../../trace/text.ts";
import * as samples from "../testing/samples.ts";
import schema from "./check.schema.json" with { type: "json" };
import { type CheckDocument, toJson } from "./json.ts";

const { gradeOf, HOSTILE: _lines, ...makers } = samples;
const SAMPLES = Object.entries(makers) as [string, () => ExerciseGrade][];
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile<CheckDocument>(schema);

function errorsOf(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const everything = () => gradeOf(...SAMPLES.map(([, make]) => make()));

test.each(SAMPLES)("%s is a valid document in both languages", (_name, make) => {
  for (const lang of LANGS) expect(errorsOf(toJson(gradeOf(make()), { lang, assignment: null }))).toEqual([]);
});

test("all samples in one grade, and a grade of nothing, are valid documents", () => {
  expect(errorsOf(toJson(everything(), { lang: "es", assignment: "week-1" }))).toEqual([]);
  expect(errorsOf(toJson(gradeOf(), { lang: "en", assignment: null }))).toEqual([]);
});

test("the document is JSON as it stands", () => {
  const document = toJson(everything(), { lang: "es", assignment: null });
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test("a looped run tells what was counted, what was expected and where", () => {
  const document = toJson(gradeOf(samples.loopedOnOldReply()), { lang: "en", assignment: null });
  expect(document.exercises[0]?.runs[0]).toEqual({
    scenario: "one-call",
    title: "One call and the answer",
    outcome: "looped",
    kind: "missing-reassignment",
    counts: { callModel: 1, executeTool: 25, httpRequests: 1, rejected: 0, faulted: 0, messages: 2 },
    expected: { callModel: 2, executeTool: 1 },
    diagnoses: [
      expect.objectContaining({
        id: "missing-reassignment",
        weight: "fault",
        message: "Your loop keeps reading the model's first reply",
        file: "agent.ts",
        line: 9,
        column: 3,
        turn: 1,
      }),
      expect.objectContaining({ id: "dropped-tool-result", weight: "fault", line: 11 }),
      expect.objectContaining({ id: "split-tool-results", weight: "advice", line: 15 }),
    ],
    error: null,
    printed: { head: [], tail: [], omittedLines: 0 },
    ms: 41,
  });
});

test("totals are the sum of the exercises, and every exercise is counted once", () => {
  const { exercises, totals } = toJson(everything(), { lang: "es", assignment: null });
  expect(totals.points.earned).toBe(exercises.reduce((sum, { points }) => sum + points.earned, 0));
  expect(totals.points.possible).toBe(exercises.reduce((sum, { points }) => sum + points.possible, 0));
  expect(totals.passed + totals.failed + totals.error + totals.untouched).toBe(exercises.length);
  expect(totals).toEqual({ passed: 4, failed: 9, error: 1, untouched: 1, points: { earned: 45, possible: 113 } });
});

test("no control, invisible or half character is left in any string, however hostile", () => {
  const document = toJson(gradeOf(samples.hostile()), { lang: "es", assignment: null });
  const strings = stringsOf(document);
  expect(strings.length).toBeGreaterThan(40);
  for (const text of strings) {
    expect(text).not.toMatch(/(?![\n\t])\p{Control}|\p{Bidi_Control}|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/u);
  }
});

test("the fields that DESIGN names are there, and stand first to last as it names them", () => {
  const document = toJson(gradeOf(samples.loopedOnOldReply()), { lang: "es", assignment: null });
  const [exercise] = document.exercises;
  expect(Object.keys(document)).toEqual([
    "version",
    "kit",
    "pack",
    "lang",
    "seed",
    "assignment",
    "layers",
    "exercises",
    "totals",
  ]);
  expect(exercise).toMatchObject({ id: "2.3", status: "failed", points: { earned: 2, possible: 10 } });
  expect(exercise?.criteria[1]).toEqual({
    id: "final-answer",
    title: "Devuelve la respuesta final del modelo",
    status: "failed",
    points: { earned: 0, possible: 4 },
    message: "Tu bucle no llegó a la respuesta final en 2 de 3 conversaciones.",
  });
});

test("the schema refuses a field it does not know and misses one it does, at every level", () => {
  const document = () => toJson(everything(), { lang: "es", assignment: null });
  const paths = objectPaths(document());
  for (const path of paths) {
    const extra = document();
    (at(extra, path) as Record<string, unknown>).surprise = true;
    expect(errorsOf(extra), `extra at ${path.join("/")}`).not.toEqual([]);
    for (const key of Object.keys(at(document(), path))) {
      const less = document();
      delete (at(less, path) as Record<string, unknown>)[key];
      expect(errorsOf(less), `${key} missing at ${path.join("/")}`).not.toEqual([]);
    }
  }
});

test("the schema refuses what cannot be", () => {
  const broken: [string, (document: CheckDocument) => void][] = [
    ["an unknown status", (document) => Object.assign(document.exercises[0]!, { status: "skipped" })],
    ["an unknown outcome", (document) => Object.assign(document.exercises[0]!.runs[0]!, { outcome: "passed" })],
    ["half a point", (document) => Object.assign(document.totals.points, { earned: 0.5 })],
    ["a negative count", (document) => Object.assign(document.exercises[0]!.runs[0]!.counts, { callModel: -1 })],
    ["line 0", (document) => Object.assign(document.exercises[0]!.runs[0]!.diagnoses[0]!, { line: 0 })],
    ["another version", (document) => Object.assign(document, { version: 2 })],
    ["a pack that is no hash", (document) => Object.assign(document, { pack: "latest" })],
  ];
  for (const [what, damage] of broken) {
    const document = toJson(gradeOf(samples.loopedOnOldReply()), { lang: "es", assignment: null });
    damage(document);
    expect(errorsOf(document), what).not.toEqual([]);
  }
});

test("the schema describes every field, and lets none in unnamed", () => {
  const undescribed: string[] = [];
  const open: string[] = [];
  walk(schema, "");
  expect(undescribed).toEqual([]);
  // A scenario is a file with a schema of its own.
  expect(open).toEqual(["/$defs/failedConversation/scenario"]);

  function walk(node: Record<string, unknown>, path: string): void {
    if (node.type === "object" && node.additionalProperties !== false) open.push(path);
    for (const [name, child] of Object.entries((node.properties ?? {}) as Record<string, Record<string, unknown>>)) {
      const target = typeof child.$ref === "string" ? definition(child.$ref) : child;
      if (!child.description && !target.description) undescribed.push(`${path}/${name}`);
      walk(child, `${path}/${name}`);
    }
    for (const [name, child] of Object.entries((node.$defs ?? {}) as Record<string, Record<string, unknown>>)) {
      if (!child.description) undescribed.push(`${path}/$defs/${name}`);
      walk(child, `${path}/$defs/${name}`);
    }
  }
  function definition(ref: string): Record<string, unknown> {
    return (schema.$defs as Record<string, Record<string, unknown>>)[ref.replace("#/$defs/", "")]!;
  }
});

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(stringsOf) : [];
}

/** Where each kind of object first stands: one path per set of keys. */
function objectPaths(value: unknown): (string | number)[][] {
  const seen = new Map<string, (string | number)[]>();
  visit(value, []);
  return [...seen.values()];

  function visit(node: unknown, path: (string | number)[]): void {
    if (node === null || typeof node !== "object") return;
    const shape = `${path.findLast((step) => typeof step === "string")}:${Object.keys(node).join()}`;
    if (!Array.isArray(node) && !seen.has(shape)) seen.set(shape, path);
    for (const [key, child] of Object.entries(node)) visit(child, [...path, Array.isArray(node) ? Number(key) : key]);
  }
}

function at(value: unknown, path: readonly (string | number)[]): object {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], value) as object;
}
