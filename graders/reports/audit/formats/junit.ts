/** JUnit XML: what CI servers read. */
import type { AuditReport, BehaviourRow } from "../../../audit/report.ts";
import type { Lang, Text } from "../../../trace/text.ts";
import { clean } from "../../clean.ts";
import { pathOf, subjectFile } from "../place.ts";
import { coverage, labels, standingOf, words } from "../words.ts";

type Attributes = Readonly<Record<string, string | number | null>>;

/**
 * A test case for each behaviour. What breaks or harms fails, as the exit code has it; advice passes and says so in its
 * output. What does not apply, cannot be seen or was accepted is skipped, with the reason.
 */
export default function junit(report: AuditReport, lang: Lang): string {
  const { behaviours } = report;
  const count = (result: ResultName) => behaviours.filter((row) => resultOf(row) === result).length;
  const sums = {
    tests: behaviours.length,
    failures: count("failure"),
    errors: 0,
    skipped: count("skipped"),
    time: seconds(behaviours.reduce((sum, row) => sum + msOf(row), 0)),
  };
  const properties = {
    kit: report.kit,
    seed: report.seed,
    layers: report.layers.join(", "),
    refusedHosts: report.refusedHosts.join(", "),
    coverage: coverage(report.endpoint)[lang],
  };
  const suite = element("testsuite", { name: report.subject, ...sums, file: subjectFile(report) }, [
    element(
      "properties",
      {},
      Object.entries(properties).map(([name, value]) => element("property", { name, value }, [])),
    ),
    ...behaviours.map((row) => testcase(report, row, lang)),
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element("testsuites", { name: "bucle audit", ...sums }, [suite]),
  ].join("\n");
}

type ResultName = "failure" | "skipped" | "passed";

function resultOf(row: BehaviourRow): ResultName {
  const standing = standingOf(row);
  if (standing === "fails") return "failure";
  return standing === "holds" || standing === "advice" ? "passed" : "skipped";
}

/** Its name begins with the id, which stays the same in every language and release: histories are kept by it. */
function testcase(report: AuditReport, row: BehaviourRow, lang: Lang): string {
  const { at } = row;
  const attributes = {
    classname: "bucle.audit",
    name: `${row.id}: ${row.title[lang]}`,
    time: seconds(msOf(row)),
    file: at ? pathOf(report, at.file) : subjectFile(report),
    line: at?.line ?? null,
  };
  return element("testcase", attributes, resultElements(report, row, lang));
}

function resultElements(report: AuditReport, row: BehaviourRow, lang: Lang): string[] {
  const standing = standingOf(row);
  const message = row.message[lang];
  switch (standing) {
    case "holds":
      return [];
    case "fails":
      return [element("failure", { message, type: row.diagnosis ?? row.severity }, [text(details(report, row, lang))])];
    case "advice":
      return [element("system-out", {}, [text(`${labels.advice[lang]}: ${details(report, row, lang)}`)])];
    case "ignored":
      return [element("skipped", { message: `${ACCEPTED[lang]} ${row.ignored} (${message})` }, [])];
    default:
      return [element("skipped", { message: `${labels[standing][lang]}: ${message}` }, [])];
  }
}

function details(report: AuditReport, row: BehaviourRow, lang: Lang): string {
  const { at, frame, next, diagnosis, turn } = row;
  const place = at ? [`${pathOf(report, at.file)}:${at.line}:${at.column}`] : [];
  const lines = (frame?.lines ?? []).map((line, index) => {
    const number = frame!.first + index;
    return `${number === frame!.line ? ">" : " "} ${number} | ${clean(line)}`.trimEnd();
  });
  return [
    row.message[lang],
    ...(turn > 0 ? [`${words.turn[lang]} ${turn}`] : []),
    ...place,
    ...lines,
    ...(next ? [`→ ${next[lang]}`] : []),
    ...(diagnosis ? [`npx bucle explain ${diagnosis}`] : []),
    `--seed ${report.seed}`,
  ].join("\n");
}

function msOf({ runs }: BehaviourRow): number {
  return runs.reduce((sum, { ms }) => sum + ms, 0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function element(name: string, attributes: Attributes, children: readonly string[]): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${attribute(String(value))}"`],
  );
  const open = `<${name}${given.join("")}`;
  if (children.length === 0) return `${open}/>`;
  // White space counts where there is text, and nowhere else.
  const elements = children.every((child) => child.startsWith("<"));
  return elements ? `${open}>\n${children.join("\n")}\n</${name}>` : `${open}>${children.join("")}</${name}>`;
}

function attribute(value: string): string {
  return text(value).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** Text of an element. `>` is escaped too: after `]]` it must be. */
function text(value: string): string {
  return legal(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Cleaned, and without the two code points that XML 1.0 forbids beside control characters and halves of pairs. */
function legal(value: string): string {
  return clean(value).replace(/[\ufffe\uffff]/g, "");
}

const ACCEPTED: Text = { es: "Aceptada:", en: "Accepted:" };
