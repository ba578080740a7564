import { settled } from "../../diagnoses/find/answer.ts";
import { delivered, isEnd } from "../../diagnoses/find/calls.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { didAtTheEnd, handedBack, holdsWords } from "../handed-back.ts";
import { endingOf, fails, faultIn, gotToTheEnd, holds, rejectedAfter, repliesOf, say } from "../judging.ts";

/**
 * Three turns of one call each, with a word beside the calls. The plainest conversation: whatever goes wrong in it is told
 * here, and the other rows leave it out.
 */
const behaviour: Behaviour = {
  id: "rounds",
  order: 20,
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
    const end = { text: { es: "Ya está todo. {{nonce}}", en: "All of it is done. {{nonce}}" } };
    return [cast.script({ es: "Tres turnos con herramientas", en: "Three turns with tools" }, [...turns, end])];
  },
  judge: ([run]) => {
    if (run === undefined)
      return fails(
        say((lang) => NEVER[lang]),
        { severity: "breaks" },
      );
    const fault = faultIn([run]);
    // What is returned is the author's own affair, unless it is bare text that takes the answer's place.
    if (fault !== null && fault.diagnosis !== "answer-not-returned") return fault;
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
    return withAnswer(run);
  },
};

const NEVER = { es: "El bucle no llegó a empezar.", en: "The loop never began." };

function withAnswer(run: JudgedRun): Verdict {
  const end = delivered(run.trace).findLast(isEnd);
  const last = repliesOf(run).find(({ seq }) => seq === end?.seq);
  const turns = {
    es: "Tres turnos seguidos con herramientas, y luego la respuesta final",
    en: "Three turns with tools in a row, and then the final answer",
  };
  if (last === undefined || holdsWords(run, last)) return holds(say((lang) => `${turns[lang]}.`));
  const did = didAtTheEnd(run);
  const both = say((lang) => `${turns[lang]}; ${lang === "es" ? "el bucle" : "the loop"} ${did[lang]}`);
  const isText = typeof settled(run.trace)?.value === "string" && handedBack(run).from === "returned";
  return isText
    ? fails(say((lang) => `${both[lang]}, ${lang === "es" ? "que no es esa respuesta" : "which is not that answer"}.`))
    : holds(say((lang) => `${both[lang]}.`));
}

export default behaviour;
