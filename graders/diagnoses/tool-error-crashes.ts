import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Text } from "../trace/text.ts";
import { ran } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tool-error-crashes",
  rank: 540,
  weight: "fault",
  exercise: "5.1",
  explains: ["uncaught"],
  detect(run) {
    if (run.outcome !== "threw" && run.kind !== "uncaught") return null;
    const message = run.error?.message ?? "";
    const way = run.kind === "uncaught" ? UNHEARD : OUT;
    const lastRequest = exchanges(run.trace).at(-1)?.request.seq ?? -1;
    const failed = ran(run.trace).find(({ call, result }) => {
      if (call.seq < lastRequest || result?.outcome.kind !== "error") return false;
      return message.includes(result.outcome.message);
    });
    if (failed === undefined) return null;
    return {
      turn: failed.call.turn,
      at: failed.call.at ?? run.at,
      headline: {
        es: "Una herramienta falló y se llevó con ella a todo el bucle",
        en: "A tool failed and took the whole loop down with it",
      },
      detail: {
        es: `${code(failed.call.name)} lanzó «${cut(message, 160)}» y ese error ${way.es}. El modelo seguía esperando un \`tool_result\` para esa llamada; un fallo también es un resultado, y con él habría podido intentar otra cosa.`,
        en: `${code(failed.call.name)} threw "${cut(message, 160)}" and that error ${way.en}. The model was still waiting for a \`tool_result\` for that call; a failure is a result too, and with it the model could have tried something else.`,
      },
      next: {
        es: "¿Cómo le cuentas al modelo que la herramienta falló, sin que tu bucle se detenga?",
        en: "How do you tell the model that the tool failed, without your loop stopping?",
      },
    };
  },
};

/** Where the tool's error went. */
const OUT: Text = { es: "salió de `runAgent`", en: "left `runAgent`" };
const UNHEARD: Text = {
  es: "llegó cuando nadie esperaba esa promesa: en Node eso apaga el programa",
  en: "came when nobody was waiting for that promise: in Node that takes the program down",
};

export default diagnosis;
