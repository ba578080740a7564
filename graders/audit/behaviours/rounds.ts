import { settled } from "../../diagnoses/find/answer.ts";
import { delivered, isEnd } from "../../diagnoses/find/calls.ts";
import { code } from "../../diagnoses/words/words.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import type { Text } from "../../trace/text.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { didAtTheEnd, handedBack, holdsWords } from "../handed-back.ts";
import {
  adviceIn,
  answersTo,
  endingOf,
  fails,
  faultIn,
  flaggedThoughWell,
  gotToTheEnd,
  holds,
  noToolRan,
  rejectedAfter,
  repliesOf,
  say,
} from "../judging.ts";
import { isAccidental, saysUnknown, textOf } from "../result-words.ts";

/**
 * Three turns of one call each, with a word beside the calls, and an answer in two blocks of text. The plainest
 * conversation: whatever goes wrong in it is told here, and the other rows leave it out.
 */
const behaviour: Behaviour = {
  id: "rounds",
  order: 10,
  title: {
    es: "Sigue mientras el modelo pida herramientas, turno tras turno",
    en: "Goes on while the model asks for tools, turn after turn",
  },
  severity: "harms",
  scenarios: (cast) => {
    const turns = [1, 2, 3].flatMap(() => {
      const call = cast.call();
      return call ? [{ text: { es: "Sigo con esto. {{nonce}}", en: "On with it. {{nonce}}" }, calls: [call] }] : [];
    });
    if (turns.length === 0) return null;
    const end = {
      text: { es: "Ya está todo. {{nonce}}", en: "All of it is done. {{nonce}}" },
      more: [{ es: " Y esto es lo que salió. {{nonce}}", en: " And this is what came of it. {{nonce}}" }],
    };
    return [cast.script({ es: "Tres turnos con herramientas", en: "Three turns with tools" }, [...turns, end])];
  },
  judge: ([run], seen) => {
    if (run === undefined)
      return fails(
        say((lang) => NEVER[lang]),
        { severity: "breaks" },
      );
    const none = noToolRan(run, seen);
    const missed = none && missedTools(run);
    if (missed) return missed;
    const fault = faultIn([run]);
    // What is returned is the author's own affair, unless it is bare text that takes the answer's place.
    if (fault !== null && fault.diagnosis !== "answer-not-returned") return fault;
    const flagged = flaggedThoughWell(run, seen);
    if (flagged !== null) return flagged;
    if (!gotToTheEnd(run)) {
      const ending = endingOf(run);
      return (
        rejectedAfter(run, null) ??
        fails({
          es: `El modelo seguía pidiendo herramientas y el bucle ${ending.es}.`,
          en: `The model was still asking for tools; the loop ${ending.en}.`,
        })
      );
    }
    return none ?? withAnswer(run);
  },
};

const NEVER = { es: "El bucle no llegó a empezar.", en: "The loop never began." };

/** No tool was run, for an error that nobody makes on purpose: of the language, or that an offered tool does not exist. */
function missedTools(run: JudgedRun): Verdict | null {
  const calls = repliesOf(run).flatMap((turn) => answersTo(run, turn)?.calls ?? []);
  const name = code(calls[0]?.name ?? "");
  const error = calls.flatMap(({ results }) => results).find((result) => isAccidental(result) || saysUnknown(result));
  if (error === undefined) return null;
  const said = code(textOf(error), 90);
  return fails(
    {
      es: `Ninguna herramienta llegó a ejecutarse: a la llamada de ${name} el bucle respondió con ${said}.`,
      en: `No tool got to be run: the loop answered the call of ${name} with ${said}.`,
    },
    { next: HOW_FOUND },
  );
}

const HOW_FOUND: Text = {
  es: "¿Cómo busca tu código la función de una llamada, y qué encuentra con ese nombre?",
  en: "How does your code look for the function of a call, and what does it find under that name?",
};

function withAnswer(run: JudgedRun): Verdict {
  const end = delivered(run.trace).findLast(isEnd);
  const last = repliesOf(run).find(({ seq }) => seq === end?.seq);
  const turns = {
    es: "Tres turnos seguidos con herramientas, y luego la respuesta final",
    en: "Three turns with tools in a row, and then the final answer",
  };
  const isText = typeof settled(run.trace)?.value === "string" && handedBack(run).from === "returned";
  if (last === undefined || holdsWords(run, last)) {
    // Most replies have one block of text: whoever takes the first loses something now and then.
    const partly = isText ? faultIn([run], ["answer-not-returned"], { severity: "advice" }) : null;
    return partly ?? adviceIn(run, "forced-tool-choice") ?? holds(say((lang) => `${turns[lang]}.`));
  }
  const did = didAtTheEnd(run);
  const both = say((lang) => `${turns[lang]}; ${lang === "es" ? "el bucle" : "the loop"} ${did[lang]}`);
  return isText
    ? fails(
        say((lang) => `${both[lang]}, ${lang === "es" ? "que no es esa respuesta" : "which is not that answer"}.`),
        { diagnosis: faultIn([run], ["answer-not-returned"])?.diagnosis ?? null, next: WHICH_TEXT },
      )
    : holds(say((lang) => `${both[lang]}.`));
}

const WHICH_TEXT: Text = {
  es: "¿De qué respuesta del modelo sale el texto que devuelves: de la última, o de otra que guardaste antes?",
  en: "Of which reply of the model is the text that you return: of the last, or of one that you kept before?",
};

export default behaviour;
