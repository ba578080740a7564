import type { Diagnosis } from "../trace/diagnosis.ts";
import { lastTurn } from "./find/ending.ts";
import { soleTimer } from "./point/timers.ts";

const diagnosis: Diagnosis = {
  id: "idle-loop",
  rank: 121,
  weight: "fault",
  exercise: "4.1",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const timers = run.measured.timers ?? 0;
    return {
      turn: lastTurn(run.trace),
      at: soleTimer(run.source) ?? run.at,
      headline: {
        es: "Tu código espera y espera, y mientras tanto no pide nada",
        en: "Your code waits and waits, and meanwhile asks for nothing",
      },
      detail: {
        es: `Se cumplieron ${timers} esperas (\`setTimeout\`, \`setInterval\` o parecidas) seguidas sin una sola petición al modelo ni a una herramienta. Lo que esperas no va a cambiar solo: aquí las cosas pasan cuando tu bucle las pide.`,
        en: `${timers} waits (\`setTimeout\`, \`setInterval\` or the like) went by in a row without a single request to the model or to a tool. What you wait for will not change by itself: here things happen when your loop asks for them.`,
      },
      next: {
        es: "¿Qué valor vigila esa espera, y qué línea de tu código lo cambia?",
        en: "Which value does that wait watch, and which line of your code changes it?",
      },
    };
  },
};

export default diagnosis;
