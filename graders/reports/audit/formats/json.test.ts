import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { AuditReport } from "../../../audit/report.ts";
import { LANGS } from "../../../trace/text.ts";
import * as samples from "../../testing/audit-samples.ts";
import schema from "../audit.schema.json" with { type: "json" };
import json, { type AuditDocument, toAuditDocument } from "./json.ts";

const SAMPLES = Object.entries(samples) as [string, () => AuditReport][];
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile<AuditDocument>(schema);

function errorsOf(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

test.each(SAMPLES)("%s is a valid document in both languages", (_name, make) => {
  for (const lang of LANGS) expect(errorsOf(JSON.parse(json(make(), lang)))).toEqual([]);
});

test("the document is JSON as it stands", () => {
  const document = toAuditDocument(samples.mixed(), "es");
  expect(JSON.parse(json(samples.mixed(), "es"))).toEqual(document);
});

test("a failure tells what, how bad, where and what next", () => {
  const { behaviours, ...rest } = toAuditDocument(samples.mixed(), "en");
  expect(rest).toEqual({
    version: 1,
    kit: "0.1.0",
    seed: "k3f9x2",
    lang: "en",
    file: "src/agent.ts",
    layers: ["process", "virtual-time", "loop-guard", "no-network", "no-secrets"],
    endpoint: "https://api.anthropic.com/v1/messages",
    refusedHosts: [],
    tools: {
      kind: "kit",
      list: [
        { name: "get_weather", dangerous: false, called: true },
        { name: "convert_temperature", dangerous: false, called: true },
      ],
    },
    totals: {
      holds: 1,
      fails: 4,
      breaks: 2,
      harms: 1,
      advice: 1,
      ignored: 1,
      notApplicable: 1,
      notObservable: 1,
    },
  });
  const { runs, ...row } = behaviours[1]!;
  expect(row).toEqual({
    id: "parallel",
    title: "Answers every call of a turn, in a single message",
    status: "fails",
    severity: "breaks",
    message:
      "The result of a tool did not reach the model. The model asked for 2 tools in one turn and was sent 1 tool_result.",
    diagnosis: "dropped-tool-result",
    turn: 2,
    file: "agent.ts",
    line: 10,
    column: 12,
    next: "What becomes of the `tool_use` blocks after the first?",
    ignored: null,
  });
  expect(runs).toEqual([expect.objectContaining({ scenario: "rounds-1", outcome: "returned", kind: null })]);
  expect(behaviours.map(({ ignored }) => ignored).filter((reason) => reason !== null)).toEqual([
    "the gateway in front of it has a budget",
  ]);
});

test("no control, invisible or half character is left in any string, however hostile", () => {
  const strings = stringsOf(toAuditDocument(samples.hostile(), "es"));
  expect(strings.length).toBeGreaterThan(40);
  for (const text of strings) {
    expect(text).not.toMatch(/(?![\n\t])\p{Control}|\p{Bidi_Control}|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/u);
  }
});

test("the schema refuses a field it does not know and misses one it does, at every level", () => {
  const document = () => toAuditDocument(samples.mixed(), "es");
  const paths: (string | number)[][] = [
    [],
    ["tools"],
    ["tools", "list", 0],
    ["behaviours", 1],
    ["behaviours", 1, "runs", 0],
    ["behaviours", 1, "runs", 0, "counts"],
    ["totals"],
  ];
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
  const broken: [string, (document: AuditDocument) => void][] = [
    ["another version", (document) => Object.assign(document, { version: 2 })],
    ["an unknown status", (document) => Object.assign(document.behaviours[0]!, { status: "passed" })],
    ["an unknown severity", (document) => Object.assign(document.behaviours[0]!, { severity: "fatal" })],
    ["line 0", (document) => Object.assign(document.behaviours[1]!, { line: 0 })],
    ["a turn before the first", (document) => Object.assign(document.behaviours[1]!, { turn: -1 })],
    ["half a failure", (document) => Object.assign(document.totals, { fails: 0.5 })],
    ["an unknown kind of tools", (document) => Object.assign(document.tools, { kind: "theirs" })],
    ["an unknown outcome", (document) => Object.assign(document.behaviours[0]!.runs[0]!, { outcome: "passed" })],
  ];
  for (const [what, damage] of broken) {
    const document = toAuditDocument(samples.mixed(), "es");
    damage(document);
    expect(errorsOf(document), what).not.toEqual([]);
  }
});

test("the schema describes every field, and lets none in unnamed", () => {
  const undescribed: string[] = [];
  const open: string[] = [];
  walk(schema, "");
  expect(undescribed).toEqual([]);
  expect(open).toEqual([]);

  function walk(node: Record<string, unknown>, path: string): void {
    if (node.type === "object" && node.additionalProperties !== false) open.push(path);
    const children = { ...(node.properties as object | undefined), ...(node.$defs as object | undefined) };
    for (const [name, child] of Object.entries(children as Record<string, Record<string, unknown>>)) {
      const target = typeof child.$ref === "string" ? definition(child.$ref) : child;
      if (!child.description && !target.description) undescribed.push(`${path}/${name}`);
      walk(child, `${path}/${name}`);
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

function at(value: unknown, path: readonly (string | number)[]): object {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], value) as object;
}
