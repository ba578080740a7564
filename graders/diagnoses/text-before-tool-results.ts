import type { Diagnosis } from "../trace/diagnosis.ts";
import { namesOf } from "./find/calls.ts";
import { pairs } from "./find/pairing.ts";
import { noteInLoop, textFirst } from "./point/messages.ts";
import { apiSaid, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "text-before-tool-results",
  rank: 420,
  weight: "fault",
  exercise: "2.4",
  explains: ["rejected-request-retried"],
  detect(run) {
    const pair = pairs(run.trace).find(({ interrupted, missing, foreign }) => {
      return interrupted && missing.length === 0 && foreign.length === 0;
    });
    if (pair === undefined) return null;
    const which = names(namesOf(pair.uses));
    return {
      turn: pair.request.turn,
      at: textFirst(run.source) ?? noteInLoop(run.source) ?? pair.request.at,
      headline: {
        es: "Pusiste otra cosa antes de los resultados de las herramientas",
        en: "You put something else before the results of the tools",
      },
      detail: text([
        {
          es: `Después de pedir ${which.es}, el modelo esperaba que el mensaje siguiente empezara con los \`tool_result\`. En el tuyo están todos, pero hay otro bloque delante o en medio.`,
          en: `After asking for ${which.en}, the model expected the next message to begin with the \`tool_result\` blocks. Yours has them all, but another block stands before or between them.`,
        },
        apiSaid(pair.reply),
      ]),
      next: {
        es: "Si quieres agregar una nota, ¿en qué posición de `content` puede ir?",
        en: "If you want to add a note, at which position of `content` may it stand?",
      },
    };
  },
};

export default diagnosis;
