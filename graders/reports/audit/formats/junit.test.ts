import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import type { AuditReport } from "../../../audit/report.ts";
import * as samples from "../../testing/audit-samples.ts";
import { totalsOf } from "../totals.ts";
import junit from "./junit.ts";

const SAMPLES = Object.entries(samples) as [string, () => AuditReport][];

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Read by a parser that takes nothing but well-formed XML 1.0. */
function parse(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: "" };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    open.at(-1)!.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return root.children[0]!;
}

function suiteOf(report: AuditReport, lang: "es" | "en" = "en"): Element {
  const suites = parse(junit(report, lang));
  expect(suites.name).toBe("testsuites");
  expect(suites.children.map(({ name }) => name)).toEqual(["testsuite"]);
  return suites.children[0]!;
}

const casesOf = (suite: Element) => suite.children.filter(({ name }) => name === "testcase");

test.each(SAMPLES)(
  "%s is well-formed, a case for each behaviour, and its sums are those of its cases",
  (_name, make) => {
    for (const lang of ["es", "en"] as const) {
      const report = make();
      const suite = suiteOf(report, lang);
      const cases = casesOf(suite);
      const having = (child: string) =>
        cases.filter(({ children }) => children.some(({ name }) => name === child)).length;
      expect(cases.map(({ attributes }) => attributes.name!.split(": ")[0])).toEqual(
        report.behaviours.map(({ id }) => id),
      );
      expect(suite.attributes).toMatchObject({
        tests: String(cases.length),
        failures: String(having("failure")),
        errors: "0",
        skipped: String(having("skipped")),
      });
      const { breaks, harms } = totalsOf(report);
      expect(having("failure")).toBe(breaks + harms);
    }
  },
);

test("each standing has its result", () => {
  const cases = casesOf(suiteOf(samples.mixed()));
  expect(cases.map(({ attributes, children }) => [attributes.name!.split(":")[0], children[0]?.name])).toEqual([
    ["rounds", undefined],
    ["parallel", "failure"],
    ["pause-turn", "failure"],
    ["big-turn", "failure"],
    ["cached-prefix", "system-out"],
    ["gives-up", "skipped"],
    ["hanging-tool", "skipped"],
    ["abort", "skipped"],
  ]);
  expect(cases[5]!.children[0]!.attributes.message).toMatch(/^Accepted: the gateway in front of it has a budget \(/);
  expect(cases[6]!.children[0]!.attributes.message).toMatch(/^not seen: The tools here are your own/);
});

test("a failure tells what, where, what next and the seed", () => {
  const [, failing] = casesOf(suiteOf(samples.ownTools()));
  expect(failing!.attributes).toEqual({
    classname: "bucle.audit",
    name: "parallel: Answers every call of a turn, in a single message",
    time: "0.041",
    file: "packages/desk/src/agent.ts",
    line: "10",
  });
  const [failure] = failing!.children;
  expect(failure!.attributes.type).toBe("dropped-tool-result");
  expect(failure!.text.split("\n")).toEqual([
    failure!.attributes.message,
    "turn 2",
    "packages/desk/src/agent.ts:10:12",
    '  9 |   while (response.stop_reason === "tool_use") {',
    "> 10 |     for (const block of response.content.slice(0, 1)) {",
    "  11 |       results.push(await runTool(block));",
    "→ What becomes of the `tool_use` blocks after the first?",
    "npx bucle explain dropped-tool-result",
    "--seed k3f9x2",
  ]);
});

test("how it was audited stands in the properties; a command has no file", () => {
  const suite = suiteOf(samples.ownTools());
  const properties = suite.children[0]!.children.map(({ attributes }) => [attributes.name, attributes.value]);
  expect(Object.fromEntries(properties)).toMatchObject({
    kit: "0.1.0",
    seed: "k3f9x2",
    refusedHosts: "metrics.example.com, vault.example.com",
  });
  expect(suiteOf(samples.command()).attributes.file).toBeUndefined();
});

test("hostile text comes out as it went in, cleaned", () => {
  const [holding, failing] = casesOf(suiteOf(samples.hostile()));
  expect(holding!.children).toEqual([]);
  const [failure] = failing!.children;
  expect(failure!.text).toContain("]]> <b>&amp;   100% %0A::error::x\n::stop-commands::x");
  expect(failure!.attributes.message).toContain("\n  ::set-output name=points::10\n");
});
