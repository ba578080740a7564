import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { AuditReport, BehaviourRow } from "../../audit/report.ts";
import { LANGS } from "../../trace/text.ts";
import { widthOf } from "../terminal/layout.ts";
import * as samples from "../testing/audit-samples.ts";
import { toAuditTerminal } from "./terminal.ts";

const SAMPLES = Object.entries(samples) as [string, () => AuditReport][];
const PLAIN = { lang: "es", colour: false, columns: 80, verbose: false } as const;

/** Each as an engineer would read it, in both languages: read the files when they change. */
const GOLDEN: readonly [name: string, report: () => AuditReport, options?: { verbose?: boolean; columns?: number }][] =
  [
    ["mixed", samples.mixed],
    ["mixed-verbose", samples.mixed, { verbose: true }],
    ["mixed-narrow", samples.mixed, { columns: 40 }],
    ["all-holds", samples.allHolds],
    ["own-tools", samples.ownTools],
    ["stand-ins", samples.standIns],
    ["command", samples.command],
    ["hostile", samples.hostile],
  ];

for (const lang of LANGS) {
  test.each(GOLDEN)(`%s reads well (${lang})`, async (name, report, options = {}) => {
    const text = toAuditTerminal(report(), { ...PLAIN, lang, ...options });
    await expect(`${text}\n`).toMatchFileSnapshot(`./golden/${name}.${lang}.txt`);
  });
}

test.each(SAMPLES)("%s: no row is wider than the terminal, in any language, depth or width", (_name, make) => {
  for (const lang of LANGS) {
    for (const columns of [10, 40, 57, 80, 200]) {
      for (const verbose of [false, true]) {
        // A path stays whole, to be clicked or copied: the terminal itself breaks it where it must.
        const rows = toAuditTerminal(make(), { ...PLAIN, lang, columns, verbose })
          .split("\n")
          .filter((row) => !/^ {4}\S.*\.ts:\d+$/.test(row));
        const widest = rows.reduce((wide, row) => (widthOf(row) > widthOf(wide) ? row : wide));
        expect(widthOf(widest), widest).toBeLessThanOrEqual(Math.min(100, Math.max(40, columns)));
      }
    }
  }
});

test.each(SAMPLES)("%s: colour changes nothing but colour", (_name, make) => {
  const plain = toAuditTerminal(make(), { ...PLAIN, verbose: true });
  const coloured = toAuditTerminal(make(), { ...PLAIN, verbose: true, colour: true });
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test("hostile text reaches neither the terminal nor the runner it is shown in", () => {
  for (const verbose of [false, true]) {
    const text = toAuditTerminal(samples.hostile(), { ...PLAIN, verbose });
    expect(text).toContain("::error::x");
    expect(text).not.toMatch(/(?!\n)\p{Control}|\p{Bidi_Control}|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/u);
    expect(text).not.toMatch(/^\s*::/m);
    expect(text).not.toContain("##[");
  }
});

test("every behaviour has its row, in the table's order, with its standing in words", () => {
  const rows = toAuditTerminal(samples.mixed(), { ...PLAIN, lang: "en" })
    .split("\n")
    .filter((row) => /^[✓✗!~–?] /.test(row));
  expect(rows.map((row) => row.slice(0, 12).trim())).toEqual([
    "✓ holds",
    "✗ fails",
    "✗ fails",
    "✗ fails",
    "! advice",
    "~ accepted",
    "? not seen",
    "– n/a",
  ]);
});

test("a cause is told in full once, unless all is asked for; every failure keeps its id", () => {
  const told = (verbose: boolean) =>
    toAuditTerminal(samples.mixed(), { ...PLAIN, lang: "en", verbose }).match(/was sent 1 tool_result/g)?.length;
  expect(told(false)).toBe(1);
  expect(told(true)).toBe(2);
  const brief = toAuditTerminal(samples.mixed(), { ...PLAIN, lang: "en" });
  expect(brief).toContain("breaks · big-turn · for the same cause as “Answers every call of a turn");
  for (const { id, status, ignored } of samples.mixed().behaviours) {
    if (status === "fails" && ignored === null) expect(brief).toMatch(new RegExp(`^ {4}(?:\\w+ · )?${id} · `, "m"));
  }
});

test("the same diagnosis at another line is another cause", () => {
  const report = samples.mixed();
  const behaviours = report.behaviours.map((row) =>
    row.id === "big-turn" ? { ...row, at: { ...row.at!, line: 30 } } : row,
  );
  expect(toAuditTerminal({ ...report, behaviours }, PLAIN)).not.toContain("por la misma causa");
});

test("what to mend first goes by severity, then by how much a cause is behind", () => {
  const { behaviours, ...report } = samples.mixed();
  const list = (rows: readonly BehaviourRow[]) =>
    toAuditTerminal({ ...report, behaviours: rows }, { ...PLAIN, lang: "en", columns: 100 })
      .split("What to mend first\n")[1]
      ?.split("\n\n")[0]
      ?.match(/^ {2}\d\. (\w+)/gm);
  const [rounds, parallel, pause, big, advice] = behaviours as [
    BehaviourRow,
    BehaviourRow,
    BehaviourRow,
    BehaviourRow,
    BehaviourRow,
  ];
  expect(list([pause, parallel, big, advice])).toEqual(["  1. breaks", "  2. harms"]);
  expect(list([rounds, parallel, advice])).toBeUndefined();
  const harmless = { ...pause, id: "other", at: { file: "agent.ts", line: 40, column: 1 } };
  const twice = { ...pause, id: "again" };
  const text = toAuditTerminal({ ...report, behaviours: [harmless, pause, twice] }, { ...PLAIN, lang: "en" });
  expect(text).toMatch(/1\. harms: [^(]*\(src\/agent\.ts:9\), and 1 more for\s+the\s+same cause/);
});

test("a cause without a name is told by the first sentences of its message, whatever that quotes", () => {
  const { behaviours, ...report } = samples.mixed();
  const said = 'It returned `On it. #a1` and "Half. Done" with 1.5 s left. Nothing tells that.';
  const unnamed = behaviours.map((row) => ({
    ...row,
    runs: [],
    diagnosis: null,
    message: { es: said, en: said },
    at: null,
  }));
  const text = toAuditTerminal({ ...report, behaviours: unnamed }, { ...PLAIN, columns: 100 });
  expect(text).toMatch(
    /^ {2}1\. rompe: It returned `On it\. #a1` and "Half\. Done" with 1\.5 s left\. Nothing tells that$/m,
  );
  const long = unnamed.map((row) => ({ ...row, message: { es: `${said} ${"x".repeat(200)}.`, en: said } }));
  expect(toAuditTerminal({ ...report, behaviours: long }, { ...PLAIN, columns: 100 })).toMatch(/Nothing tells that$/m);
});

test("what the list says of a cause stands in its row", () => {
  const { behaviours, ...report } = samples.mixed();
  const message = { es: "Llegó `pause_turn`. Nada lo avisa.", en: "`pause_turn` came. Nothing tells that." };
  const told = behaviours.map((row) => (row.id === "pause-turn" ? { ...row, message } : row));
  const text = toAuditTerminal({ ...report, behaviours: told }, { ...PLAIN, lang: "en", columns: 100 });
  expect(text).toMatch(/^ {2}2\. harms: `pause_turn` came\. Nothing tells that \(/m);
  expect(text).toMatch(/^ {4}`pause_turn` came\. Nothing tells that\.$/m);
});

test("the row that tells a cause is told in full, and those before it name it", () => {
  const { behaviours, ...report } = samples.mixed();
  const [, parallel, , big] = behaviours as [BehaviourRow, BehaviourRow, BehaviourRow, BehaviourRow];
  const unnamed = { ...parallel, diagnosis: null };
  const text = toAuditTerminal({ ...report, behaviours: [unnamed, big] }, { ...PLAIN, lang: "en", columns: 100 });
  expect(text).toMatch(/parallel · for the same cause as “/);
  expect(text).toMatch(/^ {2}1\. breaks: .*, and 1 more/ms);
});

test("a long list of causes says how many it leaves out", () => {
  const { behaviours, ...report } = samples.many();
  const apart = behaviours.map((row, index) => ({
    ...row,
    at: { file: "agent.ts", line: index + 1, column: 1 },
    severity: "harms" as const,
  }));
  expect(toAuditTerminal({ ...report, behaviours: apart }, PLAIN)).toContain("Y 31 más");
});

test("only what is no sandbox is called none", () => {
  expect(toAuditTerminal(samples.mixed(), PLAIN)).toContain("Esto no es un sandbox");
  expect(toAuditTerminal(samples.standIns(), PLAIN)).not.toContain("Esto no es un sandbox");
});

test("dangerous tools are called out where they were really run", () => {
  const own = toAuditTerminal(samples.ownTools(), { ...PLAIN, lang: "en" });
  expect(own).toMatch(/really run: refund_order\./);
  expect(own).toMatch(/did not allow them: delete_customer\./);
  expect(toAuditTerminal(samples.standIns(), { ...PLAIN, lang: "en" })).not.toContain("⚠");
});

test("tools that were left out are named, and nobody is said to have forbidden them", () => {
  const { tools, ...report } = samples.standIns();
  const left = { name: "submit_answer", dangerous: false, called: false };
  const text = toAuditTerminal(
    { ...report, tools: { ...tools, list: [...tools.list, left] } },
    { ...PLAIN, lang: "en" },
  );
  expect(text).toContain("does not ask for these, as you said: submit_answer.");
  expect(text).not.toContain("did not allow");
});

test("hosts it was refused are named, and what was not looked at", () => {
  const text = toAuditTerminal(samples.ownTools(), { ...PLAIN, lang: "en" });
  expect(text).toMatch(/refused: metrics\.example\.com,\s+vault\.example\.com\./);
  expect(text).toMatch(/https:\/\/api\.anthropic\.com\/v1\/messages[\s\S]*Bedrock and Vertex/);
});

test("an error that ended the run is told, unless the message has told it", () => {
  const report = samples.mixed();
  const withError = (message: string) => {
    const behaviours = report.behaviours.map((row) =>
      row.id === "parallel"
        ? {
            ...row,
            runs: row.runs.map((run) => ({ ...run, error: { name: "TypeError", message, at: null, stack: [] } })),
          }
        : row,
    );
    return toAuditTerminal({ ...report, behaviours }, { ...PLAIN, lang: "en" });
  };
  expect(withError("x is not a function")).toContain("The error: TypeError: x is not a function");
  expect(withError("was sent 1 tool_result")).not.toContain("TypeError");
});

test("a place is named as it is seen from where the audit was run", () => {
  const text = toAuditTerminal(samples.ownTools(), PLAIN);
  expect(text.match(/^ {4}\S+:\d+$/gm)).toEqual([
    "    packages/desk/src/agent.ts:10",
    "    packages/desk/src/agent.ts:9",
  ]);
});

test.each([
  ["es", "Se vio en esta petición"],
  ["en", "Seen at this request"],
] as const)("a place that is only where it was seen says so, where there is one: %s", (lang, words) => {
  const told = (onlySeenThere: boolean, report = samples.mixed()) =>
    toAuditTerminal(
      { ...report, behaviours: report.behaviours.map((row) => ({ ...row, onlySeenThere })) },
      { ...PLAIN, lang },
    );
  expect(told(true)).toMatch(new RegExp(`${words}.*:\\n {4}src/agent\\.ts:10\\n`));
  expect(told(false)).not.toContain(words);
  expect(told(true, samples.command())).not.toContain(words);
});
