import type { Diagnosis } from "../trace/diagnosis.ts";
import { lastTurn } from "./find/ending.ts";
import { count } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "out-of-time",
  rank: 760,
  weight: "fault",
  exercise: "4.1",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const seconds = Number(((run.measured.limitMs ?? run.ms) / 1000).toPrecision(2));
    const replies = count(run.counts.callModel, ["respuesta", "respuestas"], ["reply", "replies"]);
    const tools = count(
      run.counts.executeTool,
      ["herramienta ejecutada", "herramientas ejecutadas"],
      ["tool run", "tool runs"],
    );
    return {
      turn: lastTurn(run.trace),
      at: run.at,
      headline: {
        es: "Se acabó el tiempo y `runAgent` seguía sin terminar",
        en: "Time ran out and `runAgent` had still not finished",
      },
      detail: {
        es: `Pasaron ${seconds} s de reloj, el límite de una ejecución (se cambia con BUCLE_TIME_LIMIT_MS). Hasta ahí: ${replies.es} del modelo y ${tools.es}. Algo trabaja sin parar, o espera lo que no llega.`,
        en: `${seconds} s went by on the clock, the limit of one run (BUCLE_TIME_LIMIT_MS changes it). Up to there: ${replies.en} of the model and ${tools.en}. Something works without a pause, or waits for what does not come.`,
      },
      next: {
        es: "Escribe un `console.log` al principio de cada vuelta: ¿qué se repite?",
        en: "Put a `console.log` at the start of each pass: what repeats?",
      },
    };
  },
};

export default diagnosis;
