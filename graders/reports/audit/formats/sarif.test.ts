import type { Log, Result, Run } from "sarif";
import { expect, test } from "vitest";
import type { AuditReport } from "../../../audit/report.ts";
import { LANGS } from "../../../trace/text.ts";
import * as samples from "../../testing/audit-samples.ts";
import sarif from "./sarif.ts";

const SAMPLES = Object.entries(samples) as [string, () => AuditReport][];

function runOf(report: AuditReport): Run & { results: Result[] } {
  const log = JSON.parse(sarif(report, "en")) as Log;
  expect(log.version).toBe("2.1.0");
  expect(log.runs).toHaveLength(1);
  return log.runs[0] as Run & { results: Result[] };
}

/** The rules of the standard and of code scanning that the types cannot tell. */
test.each(SAMPLES)("%s keeps the rules of SARIF", (_name, make) => {
  const report = make();
  const { tool, results } = runOf(report);
  const rules = tool.driver.rules!;
  expect(rules.map(({ id }) => id)).toEqual(report.behaviours.map(({ id }) => id));
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const rule of rules) {
    for (const said of [rule.shortDescription, rule.fullDescription, rule.help]) expect(said?.text).toMatch(/\S/);
    expect(rule.help?.markdown).toMatch(/\S/);
    expect(rule.shortDescription!.text.length).toBeLessThanOrEqual(1024);
  }
  expect(results.map(({ ruleId }) => ruleId)).toEqual(
    report.behaviours.filter(({ status }) => status === "fails").map(({ id }) => id),
  );
  for (const { ruleId, ruleIndex, level, message, locations, suppressions } of results) {
    expect(rules[ruleIndex!]!.id).toBe(ruleId);
    expect(["error", "warning", "note"]).toContain(level);
    expect(message.text).toMatch(/\S/);
    // One location, and the list of suppressions on all results or on none.
    expect(locations).toHaveLength(1);
    expect(Array.isArray(suppressions)).toBe(true);
    const { artifactLocation, region } = locations![0]!.physicalLocation ?? {};
    if (artifactLocation === undefined) continue;
    const base = artifactLocation.uriBaseId === undefined ? undefined : "file:///repository/";
    expect(new URL(artifactLocation.uri!, base).protocol).toBe("file:");
    expect(artifactLocation.uri).toMatch(/^[\w!'()*.~%/:-]+$/);
    if (region) expect(Math.min(region.startLine!, region.startColumn!)).toBeGreaterThanOrEqual(1);
  }
});

test("each severity has its level, and a line its place", () => {
  const { results } = runOf(samples.ownTools());
  expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ["parallel", "error"],
    ["pause-turn", "warning"],
    ["big-turn", "error"],
    ["cached-prefix", "note"],
    ["gives-up", "error"],
  ]);
  expect(results[0]!.locations).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: "packages/desk/src/agent.ts", uriBaseId: "%SRCROOT%" },
        region: { startLine: 10, startColumn: 12 },
      },
    },
  ]);
  expect(results[0]!.message.text).toContain("npx bucle explain dropped-tool-result");
});

test("a failure without a line is of the audited file; one of a command has its name", () => {
  expect(runOf(samples.mixed()).results[3]!.locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: "src/agent.ts", uriBaseId: "%SRCROOT%" } } },
  ]);
  expect(runOf(samples.command()).results[0]!.locations).toEqual([
    { logicalLocations: [{ name: "python3 agent.py --model small", kind: "module" }] },
  ]);
});

test("an absolute path is no path of the source root", () => {
  const [result] = runOf({ ...samples.mixed(), subject: "/home/ana/my agents/agent.ts" }).results;
  expect(result!.locations![0]!.physicalLocation!.artifactLocation).toEqual({
    uri: "file:///home/ana/my%20agents/agent.ts",
  });
});

test("what was accepted is suppressed, with the reason, and nothing else is", () => {
  const suppressed = runOf(samples.mixed()).results.flatMap(({ ruleId, suppressions }) =>
    suppressions!.map((suppression) => [ruleId, suppression]),
  );
  expect(suppressed).toEqual([
    ["gives-up", { kind: "external", status: "accepted", justification: "the gateway in front of it has a budget" }],
  ]);
});

test("the language of the texts is told", () => {
  for (const lang of LANGS) {
    const [run] = (JSON.parse(sarif(samples.mixed(), lang)) as Log).runs;
    expect([run!.language, run!.tool.driver.language]).toEqual([lang, lang]);
    expect(run!.tool.driver.rules![0]!.shortDescription!.text).toBe(samples.mixed().behaviours[0]!.title[lang]);
  }
});
