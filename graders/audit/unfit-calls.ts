/** Calls that come in a reply and are not to be run: cut off, or inside a refusal. */

import type { JudgedRun } from "../grading/spec.ts";
import type { StopReason, ToolResultBlock } from "../trace/api.ts";
import { isToolUse } from "../trace/api.ts";
import type { Text } from "../trace/text.ts";
import type { Seen, Verdict } from "./behaviour.ts";
import { didAtTheEnd, holdsWords, judgeReply, wayOut } from "./handed-back.ts";
import {
  answersTo,
  fails,
  faultIn,
  holds,
  neverRuns,
  notObservable,
  rejectedAfter,
  say,
  stoppedBy,
  toolCallsOf,
  unseen,
} from "./judging.ts";
import { isAnError } from "./result-words.ts";

export interface Unfit {
  reason: StopReason;
  /** The diagnosis of a loop that ran the call. */
  ran: string;
  /** Others that are the behaviour's matter. */
  own: readonly string[];
  what: Text;
  /** Of the words beside the call handed back as the answer; null where another behaviour is about that. */
  asAnswer: Text | null;
}

export function judgeUnfit(run: JudgedRun | undefined, seen: Seen, unfit: Unfit): Verdict {
  const turn = stoppedBy(run, String(unfit.reason));
  if (run === undefined || turn === null) return unseen(run);
  const { what } = unfit;
  const results = answersTo(run, turn)?.calls.flatMap((call) => call.results) ?? [];
  // The script asks for no other call: whatever ran is this one.
  const wasRun = seen.tools === "own" ? runElsewhere(results) : toolCallsOf(run).length > 0;
  if (wasRun === "maybe") {
    return notObservable(say((lang) => `${what[lang]}; ${MAYBE[lang]}`));
  }
  if (wasRun) {
    // Seen by its results alone, a run and a refusal to run look alike to a diagnosis.
    const known = seen.tools === "own" ? null : faultIn([run], [unfit.ran, ...unfit.own]);
    const names = turn.message.content.filter(isToolUse).map(({ name }) => `\`${name}\``);
    return (
      known ??
      fails({
        es: `${what.es}, y el bucle la ejecutó (${names.join(", ")}).`,
        en: `${what.en}, and the loop ran it (${names.join(", ")}).`,
      })
    );
  }
  const own = faultIn([run], unfit.own) ?? rejectedAfter(run, turn);
  if (own !== null) return own;
  const notRun = seen.tools === "own" ? NO_RESULT : NOT_RUN;
  const way = wayOut(run, holdsWords(run, turn));
  const did = didAtTheEnd(run);
  const ending = way === "whole" ? WENT_ON : say((lang) => `${lang === "es" ? "el bucle" : "the loop"} ${did[lang]}.`);
  const fine = neverRuns(seen)
    ? notObservable(say((lang) => `${what[lang]}. ${NEVER_RUNS[lang]}`))
    : holds(say((lang) => `${what[lang]}. ${notRun[lang]}; ${ending[lang]}`));
  const { asAnswer } = unfit;
  if (asAnswer === null && (way === "as-answer" || way === "empty")) return fine;
  const judged = judgeReply(run, turn, { what, own: [], asAnswer: asAnswer ?? NOTHING, whole: () => fine });
  return judged.status === "fails" ? judged : fine;
}

/** Of a tool that runs where nobody watches: an error may be the tool's, or the loop's own way of turning it down. */
function runElsewhere(results: readonly ToolResultBlock[]): boolean | "maybe" {
  if (results.length === 0) return false;
  return results.every(isAnError) ? "maybe" : true;
}

const NOTHING: Text = { es: "", en: "" };
const WENT_ON: Text = {
  es: "el bucle volvió a preguntar y llegó a una respuesta entera.",
  en: "the loop asked again and got to a whole answer.",
};
const NOT_RUN: Text = { es: "No la ejecutó", en: "It was not run" };
const NO_RESULT: Text = {
  es: "Ningún resultado suyo llegó al modelo (tus herramientas solo se ven por sus resultados)",
  en: "No result of it reached the model (your tools are seen by their results alone)",
};
const NEVER_RUNS: Text = {
  es: "No la ejecutó, pero tampoco ejecutó ninguna en la conversación más simple: eso no dice nada.",
  en: "It was not run, but neither was any in the plainest conversation: that tells nothing.",
};
const MAYBE: Text = {
  es: "un error volvió como su resultado, y si tu herramienta llegó a ejecutarse no se puede ver.",
  en: "an error went back as its result, and whether your tool was run cannot be seen.",
};
