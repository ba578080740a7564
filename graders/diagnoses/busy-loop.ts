import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { lastTurn } from "./find/ending.ts";
import { onLine } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "busy-loop",
  rank: 120,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const { passes, cpuMs } = run.measured;
    const line = onLine(run.at);
    const byTheClock = readsTheClock(run);
    const counted =
      passes === undefined
        ? { es: `gastó ${seconds(cpuMs)} s de procesador`, en: `used ${seconds(cpuMs)} s of processor time` }
        : {
            es: `dio ${passes.toLocaleString("es-MX")} vueltas en ${seconds(cpuMs)} s de procesador`,
            en: `went round ${passes.toLocaleString("en-US")} times in ${seconds(cpuMs)} s of processor time`,
          };
    return {
      turn: lastTurn(run.trace),
      at: run.at,
      headline: {
        es: "Un bucle gira sin soltar el procesador: no espera ninguna respuesta",
        en: "A loop spins without letting go of the processor: it waits for no answer",
      },
      detail: {
        es: `El código${line.es} ${counted.es} sin esperar nada del modelo ni de una herramienta, y sin dejar que llegara nada de lo pendiente. ${byTheClock ? CLOCK.es : PASSES.es}`,
        en: `The code${line.en} ${counted.en} without waiting for anything from the model or a tool, and without letting in anything that was on its way. ${byTheClock ? CLOCK.en : PASSES.en}`,
      },
      next: byTheClock
        ? {
            es: "¿Cómo se espera un rato sin ocupar el procesador, para que mientras tanto pueda llegar algo?",
            en: "How does one wait for a while without keeping the processor busy, so that something can come in meanwhile?",
          }
        : {
            es: "¿Qué tiene que cambiar para que ese bucle pare, y hay un `continue` o una condición que se lo salte?",
            en: "What has to change for that loop to stop, and is there a `continue` or a condition that skips it?",
          },
    };
  },
};

const PASSES: Text = {
  es: "Hasta ahí, nada de lo que cambia en cada vuelta hizo falsa su condición.",
  en: "Up to there, nothing that changes on each pass had made its condition false.",
};

const CLOCK: Text = {
  es: "Mira el reloj, y aquí el tiempo es virtual: está quieto mientras tu código no espera nada.",
  en: "It looks at the clock, and time is virtual here: it stands still while your code waits for nothing.",
};

/** Whether the lines where it spins ask what time it is. */
function readsTheClock({ at, source }: Run): boolean {
  const lines = source.files.find(({ name }) => name === at?.file)?.text.split("\n") ?? [];
  const around = at === null ? [] : lines.slice(at.line - 1, at.line + 3);
  return /\b(?:Date\.now|performance\.now|hrtime|new Date)\b/.test(around.join("\n"));
}

function seconds(ms: number | undefined): string {
  return ((ms ?? 0) / 1000).toFixed(1);
}

export default diagnosis;
