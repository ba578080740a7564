import type { ExerciseGrade, FindingGrade, RunGrade } from "../../grading/grade.ts";
import { clean, cleanName, fold } from "../clean.ts";
import { counters, endingOf, facts, words } from "../words.ts";
import { frameRows, spotName } from "./frame.ts";
import { hang, stack, widthOf } from "./layout.ts";
import { type Page, quoted, say } from "./page.ts";
import { hasPrinted, printedRows } from "./printed.ts";

/** How much a report says of each run. */
export interface Depth {
  verbose: boolean;
  showAll: boolean;
  /** Name the page of each mistake beside it. */
  pages: boolean;
  /** Folder of the conversations that were drawn and failed; null where they are not kept. */
  generatedIn: string | null;
  /** File of the one conversation that was played; null where the whole exercise was. */
  scenario: string | null;
}

type Lead = Pick<FindingGrade, "at" | "frame" | "headline" | "detail" | "next" | "turn"> & { id: string | null };

const BODY = "    ";

/**
 * The runs of an exercise: those that failed, folded by mistake; the rest, one short row each; then the advice. Where the
 * exercise passed every run is one of the rest, and below them stands what was seen all the same and cost nothing.
 */
export function runsRows(page: Page, exercise: ExerciseGrade, depth: Depth): string[] {
  const passed = exercise.status === "passed";
  const mistakes = foldByMistake(page, exercise.runs).map((runs) => mistakeRows(page, exercise, runs, depth));
  const advice = adviceRows(page, exercise, depth);
  const rest = passed ? exercise.runs : exercise.runs.filter((run) => leadOf(run) === null);
  const column = Math.max(0, ...rest.map((run) => widthOf(say(page, run.title))));
  const short = rest.map((run) => shortRows(page, exercise, run, { ...depth, column }));
  const together = !depth.verbose && !rest.some((run) => hasPrinted(run.printed));
  const ran = together ? [short.flat()] : short;
  if (!passed) return stack(...mistakes, ...ran, ...advice);
  const costless = mistakes.length + advice.length > 0 ? hang(words.costless[page.lang], page.width, "  ") : [];
  return stack(
    ...ran,
    costless.map((row) => page.ink.bold(row)),
    ...mistakes,
    ...advice,
  );
}

/** How each run ended and what was counted, and not a word on why: for a student who is still to say it. */
export function factRows(page: Page, runs: readonly RunGrade[]): string[] {
  const { lang, width, ink } = page;
  return [
    ink.bold(`  ${words.whatHappens[lang]}`),
    ...runs.flatMap(({ title, outcome, counts }) => [
      ...hang(say(page, title), width, BODY),
      ...hang(
        `${facts[outcome][lang]} · callModel ${counts.callModel} · executeTool ${counts.executeTool}`,
        width,
        `${BODY}  `,
      ).map((row) => ink.dim(row)),
    ]),
  ];
}

/** Whether there is more to say of an exercise's runs than a report says without `--verbose`. */
export function hasMore(exercise: ExerciseGrade): boolean {
  return exercise.runs.some((run) => leadOf(run) !== null);
}

/**
 * The diagnosis of the first mistake that `runsRows` tells, and where an exercise failed without one, of the first advice:
 * its criteria may ask for what is advice elsewhere. Null where none of them has a page.
 */
export function firstMistake({ runs, status }: ExerciseGrade): string | null {
  const lead = runs.map((run) => leadOf(run)?.id ?? null).find((id) => id !== null);
  const advice = status === "failed" ? runs.flatMap(({ findings }) => findings)[0]?.id : null;
  return lead ?? advice ?? null;
}

/** Whether an exercise passed although a mistake was seen in it. */
export function passedWithMistakes(exercise: ExerciseGrade): boolean {
  return exercise.status === "passed" && hasMore(exercise);
}

/**
 * The one mistake to speak of: the first finding that is a fault, else what the outcome says. Null for a run with nothing
 * against it; a run that threw is one of those, since giving up is right in some exercises.
 */
function leadOf(run: RunGrade): Lead | null {
  const fault = run.findings.find((finding) => finding.weight === "fault");
  if (fault) return fault;
  const ending = endingOf(run);
  return ending && { ...ending, id: null, turn: 0, at: run.error?.at ?? null, frame: null };
}

function foldByMistake(page: Page, runs: readonly RunGrade[]): RunGrade[][] {
  const groups = new Map<string, RunGrade[]>();
  for (const run of runs) {
    const lead = leadOf(run);
    if (lead === null) continue;
    // One mistake is told once, also where its headline counts something that differs from run to run.
    const key = lead.id ?? say(page, lead.headline);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** One mistake, for all the runs that have it. Its mark says whether it cost anything. */
function mistakeRows(page: Page, exercise: ExerciseGrade, runs: readonly RunGrade[], depth: Depth): string[] {
  const [run, ...others] = runs as [RunGrade, ...RunGrade[]];
  const lead = leadOf(run)!;
  const { ink, lang, width } = page;
  const passed = exercise.status === "passed";
  const colour = passed ? ink.yellow : ink.red;
  const headline = hang(say(page, lead.headline), width, passed ? "  △ " : "  ✗ ");
  return stack(
    [
      ...headline.map((row) => colour.bold(row)),
      ...hang(whereText(page, run, others, lead.turn), width, BODY).map((row) => ink.dim(row)),
    ],
    hang(say(page, lead.detail), width, BODY),
    errorRows(page, run, lead),
    frameRows(page, lead.at, lead.frame, BODY),
    [...hang(say(page, lead.next), width, `${BODY}→ `), ...whyRows(page, lead.id, depth, BODY)],
    ...runs.map((one, index) => {
      // Where the exercise passed, it stands with the run's own row.
      if (passed || !hasPrinted(one.printed)) return [];
      const name = quoted(page, say(page, one.title));
      const same = index > 0 && JSON.stringify(one.printed) === JSON.stringify(run.printed);
      if (same && !depth.showAll)
        return hang(`${name}: ${words.printedSame[lang]}`, width, BODY).map((row) => ink.dim(row));
      const title = runs.length > 1 ? `${words.printed[lang]} · ${name}` : words.printed[lang];
      return [
        ...hang(title, width, BODY).map((row) => ink.dim(row)),
        ...printedRows(page, one.printed, { exercise: exercise.id, showAll: depth.showAll, indent: BODY }),
      ];
    }),
    ...(depth.verbose ? moreRows(page, lead, runs, depth) : []),
  );
}

/** @param turn how many replies the model had given when it happened; 0 says nothing */
function whereText(page: Page, run: RunGrade, others: readonly RunGrade[], turn: number): string {
  const title = (one: RunGrade) => quoted(page, say(page, one.title));
  const inTurn = turn > 0 ? `, ${words.turn[page.lang]} ${turn}` : "";
  const first = `${words.where[page.lang]} ${title(run)}${inTurn}`;
  const more = others.map(title);
  return more.length === 0 ? first : `${first} · ${words.alsoWhere[page.lang]} ${more.join(", ")}`;
}

/** The error that ended the run, in the student's own words; left out where the detail has just quoted it. */
function errorRows(page: Page, run: RunGrade, lead: Lead): string[] {
  if (run.error === null || quotes(lead.detail[page.lang], run.error.message)) return [];
  const { at } = run.error;
  const said = at !== null && lead.at?.file === at.file && lead.at.line === at.line;
  const place = at === null || said ? "" : ` (${spotName(at)})`;
  return hang(`${words.errorWas[page.lang]} ${errorText(page, run.error)}${place}`, page.width, BODY);
}

/** Whether a detail already holds what an error says: its text, or the API's own text inside the SDK's JSON. */
function quotes(detail: string, message: string): boolean {
  const inner = /"message":("(?:[^"\\]|\\.)*")/.exec(message)?.[1];
  const said = [message, inner === undefined ? "" : parsed(inner)].filter((text) => text.length > 3);
  return said.some((text) => detail.includes(text));
}

function parsed(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return "";
  }
}

function errorText(page: Page, error: { name: string; message: string }): string {
  const message = fold(clean(error.message).trim(), page.lang);
  return message === "" ? cleanName(error.name) : `${fold(cleanName(error.name), page.lang)}: ${message}`;
}

/** Where the mistake is explained; an ending that no diagnosis tells has no page. */
function whyRows({ lang, width, ink }: Page, id: string | null, { pages }: Depth, indent: string): string[] {
  if (id === null || !pages) return [];
  return hang(`${words.why[lang]} npx bucle explain ${id}`, width, indent).map((row) => ink.dim(row));
}

function moreRows(page: Page, lead: Lead, runs: readonly RunGrade[], depth: Depth): string[][] {
  const { lang, width } = page;
  const other = uniqueFindings(page, runs).filter((finding) => finding.id !== lead.id && finding.weight === "fault");
  return [
    ...other.map((finding) => [
      ...hang(`${words.alsoFound[lang]}: ${say(page, finding.headline)}`, width, BODY),
      ...hang(say(page, finding.detail), width, `${BODY}  `),
      ...frameRows(page, finding.at, finding.frame, `${BODY}  `),
      ...hang(say(page, finding.next), width, `${BODY}  → `),
      ...whyRows(page, finding.id, depth, `${BODY}  `),
    ]),
    ...runs.map((run) => countRows(page, run)),
  ];
}

/** What was counted in a run, beside what an honest loop counts. */
function countRows(page: Page, run: RunGrade): string[] {
  const { lang, width, ink } = page;
  const got = words.got[lang];
  const expected = words.expected[lang];
  const names = Object.keys(run.counts) as (keyof RunGrade["counts"])[];
  const label = Math.max(...names.map((name) => widthOf(counters[name][lang])));
  const ended = [facts[run.outcome][lang], run.kind, `${Math.round(run.ms)} ms`];
  return [
    ...hang(say(page, run.title), width, BODY),
    ...hang(ended.filter((part) => part !== null).join(" · "), width, `${BODY}  `).map((row) => ink.dim(row)),
    ink.dim(`${BODY}  ${" ".repeat(label)}  ${got}  ${run.expected ? expected : ""}`.trimEnd()),
    ...names.map((name) => {
      const right = run.expected && name in run.expected ? run.expected[name as "callModel" | "executeTool"] : null;
      const cells = [
        String(run.counts[name]).padStart(widthOf(got)),
        right === null ? "" : String(right).padStart(expected.length),
      ];
      const counter = counters[name][lang];
      return `${BODY}  ${counter}${" ".repeat(label - widthOf(counter))}  ${cells.join("  ")}`.trimEnd();
    }),
  ];
}

/**
 * A run with nothing against it. Its mark claims no more than is known: where the exercise failed and no run says why, or
 * where a criterion names it or the counts are not the expected ones, it is a dot.
 */
function shortRows(page: Page, exercise: ExerciseGrade, run: RunGrade, depth: Depth & { column: number }): string[] {
  const { lang, width, ink } = page;
  const { counts, expected } = run;
  const asExpected =
    expected === null || (counts.callModel === expected.callModel && counts.executeTool === expected.executeTool);
  const someFailed = exercise.runs.some((one) => leadOf(one) !== null);
  const good =
    exercise.status === "passed" || (someFailed && !run.failsCriterion && asExpected && run.outcome === "returned");
  const count = (name: "callModel" | "executeTool") => {
    const right =
      !good && expected && expected[name] !== counts[name] ? ` (${words.expected[lang]} ${expected[name]})` : "";
    return `${name} ${counts[name]}${right}`;
  };
  const title = say(page, run.title);
  const counted = `${count("callModel")} · ${count("executeTool")}`;
  const mark = good ? ink.green("✓") : ink.dim("·");
  const oneRow = 4 + depth.column + 3 + widthOf(counted) <= width;
  const heading = oneRow
    ? [`  ${mark} ${title}${" ".repeat(depth.column - widthOf(title) + 3)}${ink.dim(counted)}`]
    : [
        ...hang(title, width, "  · ").map((row, index) => (index === 0 ? `  ${mark} ${row.slice(4)}` : row)),
        ...hang(counted, width, BODY).map((row) => ink.dim(row)),
      ];
  const threw =
    run.error === null
      ? []
      : hang(`${words.threw[lang]} ${errorText(page, run.error)}`, width, BODY).map((row) => ink.dim(row));
  const printed = hasPrinted(run.printed)
    ? [
        ...hang(words.printed[lang], width, BODY).map((row) => ink.dim(row)),
        ...printedRows(page, run.printed, { exercise: exercise.id, showAll: depth.showAll, indent: BODY }),
      ]
    : [];
  const more = depth.verbose ? countRows(page, run).slice(1) : [];
  return [...heading, ...threw, ...printed, ...more];
}

/** Advice fails nothing: a note each. While a mistake is told, its headline is enough. */
function adviceRows(page: Page, exercise: ExerciseGrade, depth: Depth): string[][] {
  const { lang, width, ink } = page;
  const whole = exercise.status === "passed" || depth.verbose || !hasMore(exercise);
  return uniqueFindings(page, exercise.runs)
    .filter((finding) => finding.weight === "advice")
    .map((finding) => {
      const place = finding.at ? ` (${spotName(finding.at)})` : "";
      return [
        ...hang(`${words.note[lang]} ${say(page, finding.headline)}${place}`, width, "  ", BODY).map((row) =>
          ink.yellow(row),
        ),
        ...(whole ? hang(say(page, finding.detail), width, BODY) : []),
        ...(whole ? hang(say(page, finding.next), width, `${BODY}→ `) : []),
        ...whyRows(page, finding.id, depth, BODY),
      ];
    });
}

function uniqueFindings(page: Page, runs: readonly RunGrade[]): FindingGrade[] {
  const byHeadline = new Map<string, FindingGrade>();
  for (const finding of runs.flatMap((run) => run.findings)) {
    const headline = say(page, finding.headline);
    if (!byHeadline.has(headline)) byHeadline.set(headline, finding);
  }
  return [...byHeadline.values()];
}
