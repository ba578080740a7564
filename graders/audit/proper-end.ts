/** Ends that are proper, though not `end_turn`. */
import { times } from "../diagnoses/words/words.ts";
import type { JudgedRun } from "../grading/spec.ts";
import type { Text } from "../trace/text.ts";
import type { Verdict } from "./behaviour.ts";
import { didAtTheEnd, handedBack, holdsWords, isAccident, tells } from "./handed-back.ts";
import {
  type Answered,
  endingOf,
  fails,
  faultIn,
  holds,
  rejectedAfter,
  requestsAfter,
  say,
  unseen,
} from "./judging.ts";

export interface ProperEnd {
  /** How the reply ended, as the beginning of a sentence. */
  what: Text;
  /** A loop may turn it down by an error of its own: why, where that does not go without saying. */
  mayThrow: boolean | Text;
}

/** Judges whether a loop stopped at an end: no request after it, and its words are handed back. */
export function judgeEnd(run: JudgedRun | undefined, reply: Answered | null, { what, mayThrow }: ProperEnd): Verdict {
  if (run === undefined || reply === null) return unseen(run);
  const rejected = rejectedAfter(run, reply);
  if (rejected !== null) return faultIn([run], ["kept-going-after-end"]) ?? rejected;
  const more = requestsAfter(run, reply).length;
  const did = didAtTheEnd(run);
  const both = say((lang) => `${what[lang]}${lang === "es" ? ", y el bucle" : ", and the loop"} ${did[lang]}.`);
  if (more > 0) {
    const stopped = run.outcome === "looped" ? STOPPED : { es: "", en: "" };
    return fails(
      {
        es: `${what.es}, y el bucle volvió a llamar al modelo ${times(more).es}${stopped.es}.`,
        en: `${what.en}, and the loop called the model ${times(more).en} more${stopped.en}.`,
      },
      { diagnosis: faultIn([run], ["kept-going-after-end"])?.diagnosis ?? null },
    );
  }
  if (run.outcome === "blocked") return unseen(run);
  if (run.outcome === "threw") {
    if (mayThrow === false || isAccident(run)) return fails(both, { severity: "advice" });
    return holds(mayThrow === true ? both : say((lang) => `${both[lang]} ${mayThrow[lang]}`));
  }
  if (run.outcome !== "returned") {
    const ending = endingOf(run);
    return (
      faultIn([run]) ?? fails({ es: `${what.es}, y el bucle ${ending.es}.`, en: `${what.en}; the loop ${ending.en}.` })
    );
  }
  if (handedBack(run).from === "nowhere" || holdsWords(run, reply) || tells(run)) return holds(both);
  return fails(
    say((lang) => `${both[lang]} ${LOST[lang]}`),
    { diagnosis: faultIn([run], ["answer-not-returned"])?.diagnosis ?? null },
  );
}

const STOPPED: Text = { es: ", hasta que lo detuvimos", en: ", until we stopped it" };
const LOST: Text = { es: "El texto del modelo se perdió.", en: "The model's text was lost." };
