import type { Diagnosis } from "../trace/diagnosis.ts";
import { lastTurn } from "./find/ending.ts";
import { errorSaid } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "uncaught",
  rank: 800,
  weight: "fault",
  exercise: "5.1",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const { error } = run;
    const what = error === null ? null : errorSaid(error);
    const said = { es: what ? ` (${what.es})` : "", en: what ? ` (${what.en})` : "" };
    return {
      turn: lastTurn(run.trace),
      at: error?.stack[0] ?? run.at,
      headline: {
        es: "Un error se escapó de una promesa o un callback que nadie esperaba",
        en: "An error escaped from a promise or a callback that nobody was waiting for",
      },
      detail: {
        es: `El error${said.es} no pasó por \`runAgent\`: ocurrió en algo que tu código puso en marcha sin \`await\`, y por eso ningún \`try/catch\` pudo atraparlo. En Node eso apaga el programa.`,
        en: `The error${said.en} did not pass through \`runAgent\`: it happened in something your code set off without \`await\`, so no \`try/catch\` could catch it. In Node that takes the program down.`,
      },
      next: {
        es: "¿Qué llamada asíncrona de tu código no tiene `await`, ni está dentro de un `Promise.all` que sí lo tenga?",
        en: "Which asynchronous call in your code has no `await`, and is in no `Promise.all` that has one?",
      },
    };
  },
};

export default diagnosis;
