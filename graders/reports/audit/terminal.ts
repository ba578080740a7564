import type { ChalkInstance } from "chalk";
import type { AuditReport, BehaviourRow } from "../../audit/report.ts";
import type { RunGrade } from "../../grading/grade.ts";
import type { Spot } from "../../trace/events.ts";
import type { Lang } from "../../trace/text.ts";
import { clean, cleanName, fold } from "../clean.ts";
import { frameRows } from "../terminal/frame.ts";
import { hang, stack, table, widthOf } from "../terminal/layout.ts";
import { finish, openPage, type Page, quoted, say } from "../terminal/page.ts";
import { hasPrinted, printedRows } from "../terminal/printed.ts";
import { words as common } from "../words.ts";
import { type Cause, causesOf, shownRun } from "./causes.ts";
import { pathOf } from "./place.ts";
import { type AuditTotals, isFailure, SEVERITIES, totalsOf } from "./totals.ts";
import {
  counted,
  coverage,
  labels,
  type Standing,
  severities,
  severityNames,
  standingOf,
  toolsKinds,
  totalParts,
  words,
} from "./words.ts";

export interface AuditTerminalOptions {
  lang: Lang;
  colour: boolean;
  /** Columns of the terminal; rows are kept between 40 and 100. */
  columns: number;
  /** Also what holds in full, the counts of every run, and what failing runs printed. */
  verbose: boolean;
}

const MARKS: Record<Standing, string> = {
  holds: "✓",
  fails: "✗",
  advice: "!",
  ignored: "~",
  "not-applicable": "–",
  "not-observable": "?",
};

const BODY = "    ";
/** Most causes in the list of what to mend first. */
const MOST_CAUSES = 5;

/**
 * An audit for a person at a terminal, without a newline at its end: what was audited and how, a row for each behaviour
 * in the table's order, with all there is to say under those that fail, and at the end what to mend first.
 */
export function toAuditTerminal(report: AuditReport, options: AuditTerminalOptions): string {
  const page = openPage(options);
  const { verbose } = options;
  return finish(
    stack(
      headRows(page, report),
      ...blocksOf(page, report, verbose),
      firstRows(page, report),
      footRows(page, report, verbose),
    ),
  );
}

function headRows(page: Page, { subject, layers, tools }: AuditReport): string[] {
  const { lang, width, ink } = page;
  const sandboxed = layers.includes("permission");
  const isolation = sandboxed ? words.sandboxed[lang] : words.notSandboxed[lang];
  const on = layers.length === 0 ? words.noLayers[lang] : `${words.layers[lang]} ${layers.map(cleanName).join(", ")}.`;
  const named = (which: typeof tools.list) => which.map(({ name }) => cleanName(name)).join(", ");
  const own = tools.kind === "own";
  const called = tools.list.filter((tool) => tool.called);
  const left = tools.list.filter((tool) => !tool.called);
  const regrettable = own ? called.filter((tool) => tool.dangerous) : [];
  const why = own ? words.notRun[lang] : words.leftOut[lang];
  const ran = called.length === 0 ? "." : `${own ? `; ${words.run[lang]} ` : ": "}${named(called)}.`;
  return [
    ...hang(`${words.heading[lang]} ${cleanName(subject)}`, width, "").map((row) => ink.bold(row)),
    ...hang(`${isolation} ${on}`, width, "").map((row) => (sandboxed ? ink.dim(row) : row)),
    ...hang(`${words.tools[lang]} ${toolsKinds[tools.kind][lang]}${ran}`, width, ""),
    ...(left.length === 0 ? [] : hang(`${why} ${named(left)}.`, width, "  ").map((row) => ink.dim(row))),
    ...(regrettable.length === 0
      ? []
      : hang(`${words.dangerous[lang]} ${named(regrettable)}.`, width, "⚠ ").map((row) => ink.yellow(row))),
  ];
}

/** The table: neighbouring rows of one line together, each failure a block of its own. */
function blocksOf(page: Page, report: AuditReport, verbose: boolean): string[][] {
  const blocks: { whole: boolean; rows: string[] }[] = [];
  const causes = causesOf(report.behaviours.filter(isFailure));
  for (const row of report.behaviours) {
    const told = causes.find(({ rows }) => rows.includes(row))?.told ?? row;
    const repeats = told !== row && !verbose ? told : null;
    const whole = verbose || (isFailure(row) && repeats === null);
    const rows = repeats ? repeatRows(page, row, repeats) : rowsOf(page, report, row, verbose);
    const last = blocks.at(-1);
    if (last === undefined || whole || last.whole) blocks.push({ whole, rows: [...rows] });
    else last.rows.push(...rows);
  }
  return blocks.map(({ rows }) => rows);
}

function rowsOf(page: Page, report: AuditReport, row: BehaviourRow, verbose: boolean): string[] {
  const standing = standingOf(row);
  const title = titleRows(page, row, standing);
  switch (standing) {
    case "holds":
      return verbose
        ? [
            ...title,
            ...hang(say(page, row.message), page.width, BODY),
            ...row.runs.flatMap((run) => countRow(page, run)),
          ]
        : title;
    case "ignored":
      return [
        ...title,
        ...dim(page, `${words.reason[page.lang]} ${clean(row.ignored ?? "")}`),
        ...(verbose ? dim(page, say(page, row.message)) : []),
        ...(verbose ? placeRows(page, report, row) : []),
      ];
    case "not-applicable":
    case "not-observable":
      return [...title, ...dim(page, say(page, row.message))];
    default:
      return failureRows(page, report, row, title, verbose);
  }
}

function titleRows(page: Page, row: BehaviourRow, standing: Standing): string[] {
  const { lang, width } = page;
  const column = Math.max(...Object.values(labels).map((label) => widthOf(label[lang])));
  const mark = `${MARKS[standing]} ${labels[standing][lang].padEnd(column)}`;
  const { head, rest } = inksOf(page, standing);
  return hang(say(page, row.title), width, `${mark}  `).map((line, index) =>
    index === 0 ? head(mark) + rest(line.slice(mark.length)) : rest(line),
  );
}

function inksOf({ ink }: Page, standing: Standing): { head: ChalkInstance; rest: ChalkInstance } {
  switch (standing) {
    case "holds":
      return { head: ink.green, rest: ink };
    case "fails":
      return { head: ink.red.bold, rest: ink.red.bold };
    case "advice":
      return { head: ink.yellow.bold, rest: ink.yellow.bold };
    case "ignored":
      return { head: ink.yellow, rest: ink };
    default:
      return { head: ink.dim, rest: ink.dim };
  }
}

/** A failure in full: what was seen, where, and what to do next. */
function failureRows(page: Page, report: AuditReport, row: BehaviourRow, title: string[], verbose: boolean): string[] {
  const { lang, width, ink } = page;
  const run = shownRun(row);
  return stack(
    [...title, ...hang(factsText(page, row, run), width, BODY).map((line) => ink.dim(line))],
    [...hang(say(page, row.message), width, BODY), ...errorRows(page, row, run)],
    placeRows(page, report, row),
    [
      ...(row.next === null ? [] : hang(say(page, row.next), width, `${BODY}→ `)),
      ...(row.diagnosis === null ? [] : dim(page, `${common.why[lang]} npx bucle explain ${row.diagnosis}`)),
    ],
    ...(verbose ? [row.runs.flatMap((one) => countRow(page, one)), ...row.runs.map((one) => saidRows(page, one))] : []),
  );
}

/** A failure whose cause another row tells. */
function repeatRows(page: Page, row: BehaviourRow, told: BehaviourRow): string[] {
  const title = titleRows(page, row, standingOf(row));
  const facts = factsText(page, row, null);
  return [...title, ...dim(page, `${facts} · ${words.sameCause[page.lang]} ${quoted(page, say(page, told.title))}`)];
}

/** How bad, the id that `--ignore` takes, and with a run the conversation and the turn. */
function factsText(page: Page, { id, severity, turn }: BehaviourRow, run: RunGrade | null): string {
  const { lang } = page;
  const inRun = run === null ? [] : [quoted(page, say(page, run.title))];
  const inTurn = run === null || turn === 0 ? [] : [`${words.turn[lang]} ${turn}`];
  const bad = severity === "advice" ? [] : [severityNames[severity][lang]];
  return [...bad, id, ...inRun, ...inTurn].join(" · ");
}

/** The error that ended the run, in the code's own words, unless the message has just quoted it. */
function errorRows(page: Page, row: BehaviourRow, run: RunGrade | null): string[] {
  const error = run?.error ?? null;
  if (error === null || (error.message !== "" && row.message[page.lang].includes(error.message))) return [];
  const said = fold(clean(error.message).trim(), page.lang);
  const name = fold(cleanName(error.name), page.lang);
  return hang(`${common.errorWas[page.lang]} ${said === "" ? name : `${name}: ${said}`}`, page.width, BODY);
}

function placeRows(page: Page, report: AuditReport, { at, onlySeenThere, frame }: BehaviourRow): string[] {
  const here = <T extends Pick<Spot, "file">>(place: T | null) =>
    place && { ...place, file: pathOf(report, place.file) };
  const rows = frameRows(page, here(at), here(frame), BODY);
  return onlySeenThere && rows.length > 0 ? [...dim(page, words.seenAt[page.lang]), ...rows] : rows;
}

/** How a run ended and what was counted, beside what an honest loop counts. */
function countRow(page: Page, { title, outcome, kind, counts, expected, ms }: RunGrade): string[] {
  const { lang, width, ink } = page;
  const count = (name: "callModel" | "executeTool") =>
    `${name} ${counts[name]}${expected && expected[name] !== counts[name] ? ` (${common.expected[lang]} ${expected[name]})` : ""}`;
  const rare = (["rejected", "faulted"] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${name} ${counts[name]}`);
  const facts = [
    kind === null ? outcome : `${outcome}: ${kind}`,
    count("callModel"),
    count("executeTool"),
    `httpRequests ${counts.httpRequests}`,
    ...rare,
    `${Math.round(ms)} ms`,
  ];
  return hang(`${say(page, title)}: ${facts.join(" · ")}`, width, `${BODY}· `).map((line) => ink.dim(line));
}

function saidRows(page: Page, { title, printed }: RunGrade): string[] {
  if (!hasPrinted(printed)) return [];
  return [
    ...dim(page, `${common.printed[page.lang]} · ${quoted(page, say(page, title))}`),
    ...printedRows(page, printed, { exercise: "", showAll: true, indent: BODY }),
  ];
}

/** Where there is more than one, the causes of what breaks or harms: the worst first, and of equals the one behind the most. */
function firstRows(page: Page, report: AuditReport): string[] {
  const { lang, width, ink } = page;
  const bad = (row: BehaviourRow) => isFailure(row) && row.severity !== "advice";
  if (report.behaviours.filter(bad).length < 2) return [];
  const causes = causesOf(report.behaviours.filter(isFailure)).filter(({ rows }) => rows.some(bad));
  const rank = ({ rows }: Cause) => Math.min(...rows.map(({ severity }) => SEVERITIES.indexOf(severity)));
  const sorted = causes.sort((a, b) => rank(a) - rank(b) || b.rows.length - a.rows.length);
  const shown = sorted.slice(0, MOST_CAUSES);
  return [
    ink.bold(words.first[lang]),
    ...shown.flatMap((cause, index) => {
      const { told: row, rows } = cause;
      const place = row.at ? ` (${pathOf(report, row.at.file)}:${row.at.line})` : "";
      const others = rows.length > 1 ? `, ${counted.others(rows.length - 1)[lang]}` : "";
      const severity = severityNames[SEVERITIES[rank(cause)]!][lang];
      return hang(`${severity}: ${headlineOf(page, row)}${place}${others}`, width, `  ${index + 1}. `);
    }),
    ...(sorted.length > shown.length ? dim(page, counted.notShown(sorted.length - shown.length)[lang]) : []),
  ];
}

/** Longest that a cause is told in the list, where it takes more than a sentence. */
const LONGEST_CAUSE = 200;

/**
 * What is wrong, by words that its row has: the headline it begins with, else what was seen, whose second sentence may be the
 * one that says what is wrong with that. Without the last full stop.
 */
function headlineOf(page: Page, { diagnosis, message, runs }: BehaviourRow): string {
  const named = runs.flatMap(({ findings }) => findings).find(({ id }) => id === diagnosis);
  const text = cleanName(say(page, message));
  const headline = named && cleanName(say(page, named.headline));
  if (headline && text.startsWith(headline)) return headline.replace(/\.$/, "");
  const [first = text, ...rest] = text.match(SENTENCE) ?? [];
  const said = rest.reduce((all, each) => ((all + each).length <= LONGEST_CAUSE ? all + each : all), first);
  return said.trim().replace(/\.$/, "");
}

/** A stop inside code or a quotation ends nothing. */
const SENTENCE = /(?:`[^`]*`|«[^»]*»|“[^”]*”|"[^"]*"|[^.!?]|[.!?](?!\s|$))+[.!?]?\s*/g;

function footRows(page: Page, report: AuditReport, verbose: boolean): string[] {
  const { lang, width, ink } = page;
  const totals = totalsOf(report);
  const { refusedHosts, endpoint } = report;
  const met = SEVERITIES.filter((severity) => totals[severity] > 0);
  const meaning = table(
    met.map((severity) => [severityNames[severity][lang], severities[severity][lang]]),
    width,
    "  ",
  );
  const failing = report.behaviours.find(isFailure);
  return stack(
    [
      ink.dim("─".repeat(width)),
      ...totalRows(page, totals).map((row) => ink.bold(row)),
      ...meaning.map((row) => ink.dim(row)),
      ...(totals.fails + totals.ignored === 0 && totals.holds > 0
        ? hang(words.allHolds[lang], width, "").map((row) => ink.green(row))
        : []),
    ],
    [
      ...(refusedHosts.length === 0
        ? []
        : hang(`${words.refused[lang]} ${refusedHosts.map(cleanName).join(", ")}.`, width, "⚠ ").map((row) =>
            ink.yellow(row),
          )),
      ...hang(coverage(cleanName(endpoint))[lang], width, "").map((row) => ink.dim(row)),
    ],
    table(
      [
        ...(verbose ? [] : [[words.more[lang], "--verbose"] as const]),
        ...(failing ? [[words.accept[lang], `--ignore ${failing.id}=${words.acceptReason[lang]}`] as const] : []),
        [words.repeat[lang], `--seed ${cleanName(report.seed)}`],
      ],
      width,
      "  ",
    ),
  );
}

/** A number stays with its word. */
function totalRows({ lang, width }: Page, totals: AuditTotals): string[] {
  const kept = totalParts(totals, lang).map((part) => part.replaceAll(" ", "\u00a0"));
  return hang(`${words.total[lang]} ${kept.join(" · ")}`, width, "").map((row) => row.replaceAll("\u00a0", " "));
}

function dim({ width, ink }: Page, text: string): string[] {
  return hang(text, width, BODY).map((row) => ink.dim(row));
}
