import type { Diagnosis, StopLimits } from "../trace/diagnosis.ts";
import { delivered, ran } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { CAP_FACTOR, CAP_SLACK, UNCAPPED_REPLIES } from "./limits/limits.ts";
import { count } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "no-iteration-cap",
  rank: 220,
  weight: "fault",
  exercise: "3.1",
  stops: (trace, scenario, limits) => scenario.endlessFrom !== null && delivered(trace).length > most(limits),
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const replies = delivered(run.trace).length;
    const tools = count(
      ran(run.trace).length,
      ["herramienta ejecutada", "herramientas ejecutadas"],
      ["tool run", "tools run"],
    );
    return {
      turn: replies,
      at: exchanges(run.trace).at(-1)?.request.at ?? null,
      headline: {
        es: "El modelo nunca dejó de pedir herramientas, y tu bucle nunca dijo basta",
        en: "The model never stopped asking for tools, and your loop never said enough",
      },
      detail: {
        es: `En esta conversación el modelo pide otra herramienta después de cada resultado. Tu bucle le siguió el paso: ${replies} respuestas del modelo y ${tools.es} hasta que lo detuvimos. El modelo no se va a cansar; en una API real, cada vuelta cuesta dinero.`,
        en: `In this conversation the model asks for another tool after each result. Your loop kept up with it: ${replies} replies of the model and ${tools.en} until we stopped it. The model will not tire; with a real API, each pass costs money.`,
      },
      next: {
        es: "¿Cuántas vueltas son demasiadas para esta tarea, y qué debería entregar tu bucle cuando llega a ese número?",
        en: "How many passes are too many for this task, and what should your loop hand over when it gets there?",
      },
    };
  },
};

function most({ cap }: StopLimits): number {
  return cap === null ? UNCAPPED_REPLIES : CAP_FACTOR * cap + CAP_SLACK;
}

export default diagnosis;
