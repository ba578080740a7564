import type { Diagnosis } from "../trace/diagnosis.ts";
import { isNothing, mentions, settled } from "./find/answer.ts";
import { delivered, isEnd } from "./find/calls.ts";
import { nonces } from "./find/script.ts";
import { cut, json, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "answer-not-returned",
  rank: 620,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const end = settled(run.trace);
    const replies = delivered(run.trace);
    const last = replies.findLast(isEnd);
    if (run.outcome !== "returned" || end === null || last === undefined) return null;
    const marks = nonces(run.scenario, last);
    if (marks.text.length === 0 || mentions(end.value, marks.text)) return null;
    const answer = last.message.content.find((block) => block.type === "text");
    const said = {
      es: `La conversación terminó bien: el modelo respondió «${cut(answer?.text ?? "", 80)}». `,
      en: `The conversation ended well: the model answered "${cut(answer?.text ?? "", 80)}". `,
    };
    const thinking =
      mentions(end.value, marks.thinking) || (isNothing(end.value) && last.message.content[0]?.type === "thinking");
    const older = replies.find((reply) => reply !== last && mentions(end.value, nonces(run.scenario, reply).text));
    const what = thinking
      ? {
          es: "Pero su primer bloque es de `thinking`, no de texto, y tu función devolvió lo que encontró ahí.",
          en: "But its first block is `thinking`, not text, and your function returned what it found there.",
        }
      : older
        ? {
            es: "Pero tu función devolvió una respuesta anterior de la misma conversación.",
            en: "But your function returned an earlier reply of the same conversation.",
          }
        : isNothing(end.value)
          ? { es: "Pero tu función no devolvió nada de eso.", en: "But your function returned none of it." }
          : {
              es: `Pero tu función devolvió ${json(end.value, 80)}, donde no está.`,
              en: `But your function returned ${json(end.value, 80)}, which does not hold it.`,
            };
    return {
      turn: last.turn,
      at: run.at,
      headline: {
        es: "El modelo dio su respuesta final y tu función no la devolvió",
        en: "The model gave its final answer and your function did not return it",
      },
      detail: text([said, what]),
      next: thinking
        ? {
            es: "¿Qué bloque de `content` es el que lee una persona, y cómo lo encuentras sin contar posiciones?",
            en: "Which block of `content` is the one a person reads, and how do you find it without counting positions?",
          }
        : {
            es: "¿Qué variable guarda la última respuesta cuando el bucle termina, y qué devuelve tu `return`?",
            en: "Which variable holds the last reply when the loop ends, and what does your `return` give back?",
          },
    };
  },
};

export default diagnosis;
