import type { CriterionGrade, ExerciseGrade, Grade } from "../../grading/grade.ts";
import type { Lang } from "../../trace/text.ts";
import { cleanName } from "../clean.ts";
import { totalsOf } from "../json/json.ts";
import { counted, words } from "../words.ts";
import { frameRows } from "./frame.ts";
import { generatedRows } from "./generated.ts";
import { bar, hang, stack, table, widthOf } from "./layout.ts";
import { finish, openPage, type Page, say } from "./page.ts";
import { quizRows } from "./quiz.ts";
import { type Depth, factRows, firstMistake, hasMore, passedWithMistakes, runsRows } from "./runs.ts";

export interface TerminalOptions {
  lang: Lang;
  colour: boolean;
  /** Columns of the terminal; rows are kept between 40 and 100. */
  columns: number;
  /** Also the other findings, the counts and the passed exercises in full. */
  verbose: boolean;
  /** All that the student's code printed, however long: `--all-output`. */
  showAll?: boolean;
  /** False where something else stands below it and says what comes next. */
  footer?: boolean;
  /** Folder in which conversations that were drawn and failed are kept, as the student would write it. */
  generatedIn?: string;
  /** File of the one conversation that was played, as the student wrote it: there are no points to that. */
  scenario?: string;
}

const STATUS_MARK = { passed: "✓", failed: "✗", error: "!", untouched: "·" } as const;
const CRITERION_MARK = { passed: "✓", failed: "✗", error: "!", skipped: "–" } as const;
const BAR_CELLS = 10;
const BODY = "    ";

/**
 * A grade for a person at a terminal, without a newline at its end. Each exercise says what it demands and got, one
 * headline per failed run, and one next step; the last rows say what to type now. Text that came from the student is
 * cleaned, and stands behind a bar where it was printed.
 */
export function toTerminal(grade: Grade, options: TerminalOptions): string {
  const page = openPage(options);
  const depth: Depth = {
    verbose: options.verbose,
    showAll: options.showAll ?? false,
    // Else the last rows name one.
    pages: options.verbose || options.footer === false,
    generatedIn: options.generatedIn ?? null,
    scenario: options.scenario ?? null,
  };
  const brief = grade.exercises.length > 1 && !depth.verbose;
  return finish(
    stack(
      ...joinBrief(
        grade.exercises.map((exercise) => ({
          brief: brief && saysNothingMore(exercise),
          rows:
            brief && saysNothingMore(exercise)
              ? headingRows(page, exercise, depth, false)
              : exerciseRows(page, exercise, depth),
        })),
      ),
      options.footer === false ? [] : footerRows(page, grade, depth),
    ),
  );
}

/** A passed exercise among others needs one row: nothing was printed and there is no advice. */
function saysNothingMore({ status, runs }: ExerciseGrade): boolean {
  return (
    status === "passed" &&
    runs.every(
      ({ findings, printed }) =>
        findings.length === 0 && printed.head.length + printed.tail.length + printed.omittedLines === 0,
    )
  );
}

/** Neighbouring brief exercises as one block of rows. */
function joinBrief(parts: readonly { brief: boolean; rows: string[] }[]): string[][] {
  const blocks: string[][] = [];
  for (const [index, { brief, rows }] of parts.entries()) {
    if (brief && parts[index - 1]?.brief) blocks[blocks.length - 1]?.push(...rows);
    else blocks.push([...rows]);
  }
  return blocks;
}

function exerciseRows(page: Page, exercise: ExerciseGrade, depth: Depth): string[] {
  const heading = headingRows(page, exercise, depth, true);
  if (exercise.status === "untouched" && exercise.problem === null) {
    const facts = showsUntouched(exercise, depth) ? factRows(page, exercise.runs) : [];
    const runs = tellsMistakes(exercise, depth) ? runsRows(page, exercise, depth) : facts;
    return stack(heading, untouchedRows(page, exercise), runs, quizRows(page, exercise, depth.verbose));
  }
  if (exercise.problem !== null) {
    return stack(
      heading,
      problemRows(page, exercise.problem),
      depth.verbose ? criteriaRows(page, exercise.criteria) : [],
    );
  }
  return stack(
    heading,
    criteriaRows(page, exercise.criteria),
    runsRows(page, exercise, depth),
    depth.verbose || exercise.generated?.failed ? generatedRows(page, exercise, depth.generatedIn) : [],
    quizRows(page, exercise, depth.verbose),
  );
}

/** A debug exercise is about what the given program does: that is shown before anything is changed. */
function showsUntouched({ kind }: ExerciseGrade, { verbose }: Depth): boolean {
  return kind === "debug" || verbose;
}

/** Whether the mistakes in an exercise's runs are told. Where the cause is still to be found, the facts alone are. */
function tellsMistakes(exercise: ExerciseGrade, depth: Depth): boolean {
  if (exercise.problem !== null) return false;
  return exercise.status !== "untouched" || (showsUntouched(exercise, depth) && exercise.quiz === null);
}

function headingRows(page: Page, exercise: ExerciseGrade, depth: Depth, withBar: boolean): string[] {
  const { lang, width, ink } = page;
  const colour = { passed: ink.green, failed: ink.red, error: ink.yellow, untouched: ink.dim }[exercise.status];
  const mark = STATUS_MARK[exercise.status];
  const { earned, possible } = exercise.points;
  const title = hang(`${cleanName(exercise.id)}  ${say(page, exercise.title)}`, width, `${mark} `).map((row, index) =>
    index === 0 ? `${colour(mark)} ${ink.bold(row.slice(2))}` : ink.bold(row),
  );
  if (exercise.status === "error") return [...title, ...hang(words.error[lang], width, "  ").map((row) => colour(row))];
  if (depth.scenario !== null) {
    const said = exercise.status === "passed" ? words.goesWell : words.goesWrong;
    return [...title, ...hang(said[lang], width, "  ").map((row) => colour(row))];
  }
  const points = counted.points(earned, possible)[lang];
  if (!withBar) {
    const fits =
      title.length === 1 && widthOf(`${mark} ${exercise.id}  ${say(page, exercise.title)}   ${points}`) <= width;
    return fits ? [`${title[0]}   ${ink.dim(points)}`] : [...title, ink.dim(`  ${points}`)];
  }
  const drawn = bar(earned, possible, BAR_CELLS);
  const verdict = words[exercise.status][lang];
  const fits = widthOf(`  ${drawn}  ${points} · ${verdict}`) <= width;
  const standing = `  ${colour(drawn)}  ${points}`;
  return fits ? [...title, `${standing} · ${colour(verdict)}`] : [...title, standing, `  ${colour(verdict)}`];
}

function untouchedRows(page: Page, exercise: ExerciseGrade): string[] {
  const file = `exercises/${cleanName(exercise.folder)}/README.${page.lang}.md`;
  return hang(`${words.openFolder[page.lang]} ${file}`, page.width, "  ");
}

function criteriaRows(page: Page, criteria: readonly CriterionGrade[]): string[] {
  const { width, ink } = page;
  const colour = { passed: ink.green, failed: ink.red, error: ink.yellow, skipped: ink.dim };
  const pointsOf = ({ points }: CriterionGrade) =>
    points.possible === 0 ? "" : `${points.earned}/${points.possible}  `;
  const column = Math.max(0, ...criteria.map((criterion) => pointsOf(criterion).length));
  return criteria.flatMap((criterion) => {
    const mark = CRITERION_MARK[criterion.status];
    const first = `  ${mark} ${pointsOf(criterion).padStart(column)}`;
    const title = hang(say(page, criterion.title), width, first).map((row, index) =>
      index === 0 ? `  ${colour[criterion.status](mark)}${row.slice(3)}` : row,
    );
    const reason =
      criterion.message === null ? [] : hang(say(page, criterion.message), width, " ".repeat(first.length));
    return [...title, ...reason.map((row) => ink.dim(row))];
  });
}

function problemRows(page: Page, problem: NonNullable<ExerciseGrade["problem"]>): string[] {
  const { width, ink } = page;
  const colour = problem.whose === "kit" ? ink.yellow : ink.red;
  const mark = problem.whose === "kit" ? "!" : "✗";
  return stack(
    hang(say(page, problem.headline), width, `  ${mark} `).map((row) => colour.bold(row)),
    hang(say(page, problem.detail), width, BODY),
    frameRows(page, problem.at, problem.frame, BODY),
    hang(say(page, problem.next), width, `${BODY}→ `),
  );
}

function footerRows(page: Page, grade: Grade, depth: Depth): string[] {
  const { lang, width, ink } = page;
  const totals = totalsOf(grade.exercises);
  const parts = (["passed", "failed", "untouched", "error"] as const)
    .filter((status) => totals[status] > 0)
    .map((status) => counted[status](totals[status])[lang]);
  const points = `${words.total[lang]} ${[counted.points(totals.points.earned, totals.points.possible)[lang], ...parts].join(" · ")}`;
  const total = depth.scenario === null ? points : words.onlyThis[lang];
  const ungraded = grade.exercises
    .filter(({ status }) => status === "error")
    .reduce((sum, { points }) => sum + points.possible, 0);
  return stack(
    [
      ink.dim("─".repeat(width)),
      ...(grade.exercises.length === 0 ? [] : hang(total, width, "").map((row) => ink.bold(row))),
      ...(ungraded === 0 ? [] : hang(counted.ungraded(ungraded)[lang], width, "")),
      ...(depth.scenario === null ? congratulation(page, grade) : []),
    ],
    table(nextSteps(page, grade, depth), width, "  "),
    (grade.exercises.length === 0 ? [] : hang(provenance(page, grade, depth), width, "")).map((row) => ink.dim(row)),
  );
}

function congratulation(page: Page, grade: Grade): string[] {
  const { lang, width, ink } = page;
  if (grade.exercises.length === 0) return hang(words.nothingYet[lang], width, "");
  if (grade.exercises.some(({ status }) => status !== "passed")) return [];
  const said = grade.exercises.some(passedWithMistakes) ? words.allPassedBut : words.allPassed;
  return hang(said[lang], width, "").map((row) => ink.green(row));
}

/** What to type now, for the exercise that comes first: one that fails, else one not started, else one we could not grade. */
function nextSteps(page: Page, { exercises }: Grade, depth: Depth): [string, string][] {
  const { lang } = page;
  const first = (status: ExerciseGrade["status"]) => exercises.find((exercise) => exercise.status === status);
  const check = ({ id }: ExerciseGrade) => {
    const alone = depth.scenario === null ? "" : ` --scenario ${asTyped(depth.scenario)}`;
    return `npx bucle check ${id}${alone}`;
  };
  const [begun] = exercises;
  const whole: [string, string][] =
    begun && depth.scenario !== null ? [[words.whole[lang], `npx bucle check ${begun.id}`]] : [];
  const failed = first("failed");
  if (failed) {
    const more = depth.verbose ? undefined : exercises.find(hasMore);
    return [
      [(failed.quiz && failed.runs.length === 0 ? words.answered : words.again)[lang], check(failed)],
      ...whole,
      [words.hint[lang], `npx bucle hint ${failed.id}`],
      ...pageSteps(page, [failed, ...exercises], depth),
      ...(more ? [[words.more[lang], `${check(more)} --verbose`] as [string, string]] : []),
    ];
  }
  const untouched = first("untouched");
  if (untouched) {
    return [
      [(untouched.quiz ? words.answered : words.again)[lang], check(untouched)],
      [words.hint[lang], `npx bucle hint ${untouched.id}`],
      ...pageSteps(page, [untouched, ...exercises], depth),
    ];
  }
  const error = first("error");
  if (error) {
    return [[words.tryAgain[lang], check(error)]];
  }
  const pages = pageSteps(page, exercises, depth);
  if (whole.length > 0) return [...whole, ...pages];
  return [[exercises.length === 0 ? words.begin[lang] : words.onward[lang], "npm start"], ...pages];
}

/** The page of the first mistake that is told, where it does not stand beside the mistake. */
function pageSteps({ lang }: Page, exercises: readonly ExerciseGrade[], depth: Depth): [string, string][] {
  if (depth.pages) return [];
  const told = exercises.filter((exercise) => tellsMistakes(exercise, depth)).map(firstMistake);
  const id = told.find((each) => each !== null);
  return id ? [[words.page[lang], `npx bucle explain ${id}`]] : [];
}

/** A path as a shell takes it. */
function asTyped(path: string): string {
  const shown = cleanName(path);
  return /\s/.test(shown) ? `"${shown}"` : shown;
}

function provenance({ lang }: Page, { seed, layers }: Grade, depth: Depth): string {
  const isolation = layers.length === 0 || !depth.verbose ? "" : ` · ${words.layers[lang]} ${layers.join(", ")}`;
  return `${words.repeat[lang]} --seed ${cleanName(seed)}${isolation}`;
}
