/** Workflow commands: what GitHub Actions shows beside the lines of a change. */
import type { AuditReport, BehaviourRow, Severity } from "../../../audit/report.ts";
import type { Lang, Text } from "../../../trace/text.ts";
import { clean, cleanName } from "../../clean.ts";
import { pathOf, subjectFile } from "../place.ts";
import { isFailure, SEVERITIES, totalsOf } from "../totals.ts";
import { labels, severityNames, standingOf, totalParts, words } from "../words.ts";

const COMMANDS: Record<Severity, string> = { breaks: "error", harms: "warning", advice: "notice" };

/** GitHub keeps ten annotations of a kind per step and drops the others without a word. The tenth says how many those are. */
const MOST_OF_A_KIND = 10;
/** Longest title that GitHub takes, in characters. */
const LONGEST_TITLE = 255;
/** A message may have 64 KB; a reader stops long before. In characters. */
const LONGEST_MESSAGE = 4000;

/** An annotation for each failure that was not accepted, and a line for the log, with the totals and the seed. */
export default function github(report: AuditReport, lang: Lang): string {
  const failing = report.behaviours.filter(isFailure);
  const annotations = SEVERITIES.flatMap((severity) => {
    const rows = failing.filter((row) => row.severity === severity);
    const shown = rows.length > MOST_OF_A_KIND ? rows.slice(0, MOST_OF_A_KIND - 1) : rows;
    const left = rows.slice(shown.length);
    return [...shown.map((row) => annotation(report, row, lang)), ...leftOut(left, severity, lang)];
  });
  const summary = `${words.audited[lang]} ${cleanName(report.subject)} · ${totalParts(totalsOf(report), lang).join(" · ")} · --seed ${cleanName(report.seed)}`;
  return [...annotations, powerless(summary)].join("\n");
}

function annotation(report: AuditReport, row: BehaviourRow, lang: Lang): string {
  const { at, next, diagnosis } = row;
  const path = at ? pathOf(report, at.file) : subjectFile(report);
  const message = [
    row.message[lang],
    ...(next ? [`→ ${next[lang]}`] : []),
    ...(diagnosis ? [`npx bucle explain ${diagnosis}`] : []),
    `${row.id} · --seed ${report.seed}`,
  ].join("\n");
  return command(
    COMMANDS[row.severity],
    {
      ...(path === null ? {} : { file: path }),
      ...(at ? { line: String(at.line), col: String(at.column) } : {}),
      title: `${labels[standingOf(row)][lang]}: ${row.title[lang]}`,
    },
    message,
  );
}

function leftOut(rows: readonly BehaviourRow[], severity: Severity, lang: Lang): string[] {
  if (rows.length === 0) return [];
  const title = `${severityNames[severity][lang]}: ${MORE(rows.length)[lang]}`;
  return [command(COMMANDS[severity], { title }, rows.map((row) => `${row.id}: ${row.title[lang]}`).join("\n"))];
}

function command(name: string, properties: Readonly<Record<string, string>>, message: string): string {
  const given = Object.entries(properties).map(
    ([key, value]) => `${key}=${property(cut(cleanName(value), key === "title" ? LONGEST_TITLE : Infinity))}`,
  );
  return powerless(`::${name} ${given.join(",")}::${data(cut(clean(message), LONGEST_MESSAGE))}`);
}

/** `##[error]` is a command of the runner's too, wherever it stands in a line. */
function powerless(line: string): string {
  return line.replace(/##(?=\[)/g, "## ");
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join("")}…`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const MORE = (n: number): Text => ({
  es: n === 1 ? "1 falla más, que GitHub no mostraría" : `${n} fallas más, que GitHub no mostraría`,
  en: n === 1 ? "1 more failure, which GitHub would not show" : `${n} more failures, which GitHub would not show`,
});
