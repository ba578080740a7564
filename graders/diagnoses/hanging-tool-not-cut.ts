import type { Diagnosis } from "../trace/diagnosis.ts";
import { hungCalls } from "./find/hung.ts";
import { code, count, names } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "hanging-tool-not-cut",
  rank: 720,
  weight: "fault",
  exercise: "5.4",
  explains: ["never-settles"],
  detect(run) {
    const hung = run.kind === "never-settles" ? hungCalls(run.trace) : [];
    const [first] = hung;
    if (first === undefined) return null;
    const which = names(hung.map(({ call }) => call.name));
    const calls = count(hung.length, ["llamada", "llamadas"], ["call", "calls"]);
    const id = first.call.answers;
    return {
      turn: first.call.turn,
      at: first.call.at ?? run.at,
      headline: {
        es: "Una herramienta no contesta nunca y tu bucle la sigue esperando",
        en: "A tool never answers and your loop is still waiting for it",
      },
      detail: {
        es: `${calls.es} sin contestar: ${which.es}${id === null ? "" : ` (id ${code(id)})`}. No devuelve nada ni falla. Tu bucle la espera sin plazo, y el modelo espera de tu bucle un \`tool_result\`, aunque sea para saber que esto no salió. No queda nada en marcha que pueda despertar a ninguno de los dos.`,
        en: `${calls.en} without an answer: ${which.en}${id === null ? "" : ` (id ${code(id)})`}. It neither returns nor fails. Your loop waits for it with no deadline, and the model waits for a \`tool_result\` of your loop, if only to learn that this came to nothing. Nothing is under way any more that could wake either of them.`,
      },
      next: {
        es: "¿Cuánto vale la pena esperar a una herramienta, y qué le dirías al modelo cuando se acabe ese plazo?",
        en: "How long is a tool worth waiting for, and what would you tell the model when that time is up?",
      },
    };
  },
};

export default diagnosis;
