/** A loop's own cap, as the endless conversation shows it: another conversation may take more calls than it allows. */
import { toJson } from "../diagnoses/find/json.ts";
import type { JudgedRun } from "../grading/spec.ts";
import type { Verdict } from "./behaviour.ts";
import { handedBack, isAccident, tells } from "./handed-back.ts";
import { ENDINGS, notObservable, repliesOf } from "./judging.ts";

/** Fewer replies than this are a cap only where the loop says so: one that ends there may end in any conversation. */
export const FEWEST = 4;

/** What a loop says that gives up for having gone on too long. */
const TOO_LONG =
  /turn|step|iteration|round|loop|limit|\bmax|too (many|long)|exceed|budget|exhaust|out of|gave up|vuelta|paso|iteraci|límite|tope|máxim|demasiad|agot|ronda/i;

/**
 * The cap that an endless conversation shows, in calls of the model; null where it shows none.
 * @param run of the endless conversation; null: not played
 */
export function capIn(run: JudgedRun | null): number | null {
  if (run === null || !gaveUp(run)) return null;
  const calls = run.counts.callModel;
  return calls >= FEWEST || (calls > 1 && TOO_LONG.test(lastWords(run))) ? calls : null;
}

/** Whether a run ended of the loop's own while the model was still asking for tools, and the loop said so. */
export function gaveUp(run: JudgedRun): boolean {
  if (repliesOf(run).at(-1)?.message.stop_reason !== "tool_use") return false;
  const isOwn = run.findings.every(({ id, weight }) => weight !== "fault" || ENDINGS.includes(id) || id === OPEN);
  if (!isOwn || run.counts.rejected > 0) return false;
  return run.outcome === "threw" ? !isAccident(run) : run.outcome === "returned" && tells(run);
}

/** What a diagnosis says of a call that the cap left open. */
const OPEN = "tool-not-run";

function lastWords(run: JudgedRun): string {
  const { error } = run;
  return run.outcome === "threw" ? `${error?.name} ${error?.message}` : toJson(handedBack(run).value);
}

/**
 * That a conversation takes more calls than the loop's own cap allows; null where that is not why it ended.
 * @param index of the run among its row's
 */
export function overCap(run: JudgedRun | undefined, cap: number | null, index: number): Verdict | null {
  const takes = run?.scenario.expected?.callModel ?? 0;
  if (run === undefined || cap === null || takes <= cap || run.counts.callModel !== cap || !gaveUp(run)) return null;
  return notObservable(
    {
      es: `No se llegó a ver: el límite de tu bucle, ${cap} llamadas al modelo, es menor que lo que pide esta conversación, ${takes}.`,
      en: `It could not be seen: your loop's own cap, ${cap} calls of the model, is lower than what this conversation takes, ${takes}.`,
    },
    { run: index },
  );
}
