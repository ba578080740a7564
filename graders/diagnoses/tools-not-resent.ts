import type { Diagnosis } from "../trace/diagnosis.ts";
import { askedBy, delivered } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { names } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tools-not-resent",
  rank: 530,
  weight: "fault",
  exercise: "2.3",
  explains: ["answer-not-returned", "stopped-early", "preamble-as-answer"],
  detect(run) {
    // Dropping the tools after many turns is how a soft cap says enough. Right after the first results it is a loss.
    const first = exchanges(run.trace)[0]?.request;
    const opening = delivered(run.trace)[0];
    if (first === undefined || opening === undefined || first.tools.length === 0 || askedBy(opening).length === 0)
      return null;
    const second = exchanges(run.trace).find(({ request }) => request.seq > opening.seq);
    const lost = second?.request.tools.length === 0 && second.reply?.kind === "message" && second.reply.entry === null;
    if (second === undefined || !lost) return null;
    const offered = names(first.tools);
    return {
      turn: second.request.turn,
      at: second.request.at,
      headline: {
        es: "En la segunda llamada el modelo ya no tenía sus herramientas",
        en: "In the second call the model no longer had its tools",
      },
      detail: {
        es: `La primera petición ofrecía ${offered.es}; la siguiente, ninguna. La API no recuerda nada entre peticiones: el modelo todavía necesitaba una herramienta y, sin poder pedirla, dejó la tarea a medias.`,
        en: `The first request offered ${offered.en}; the next one, none. The API remembers nothing between requests: the model still needed a tool and, unable to ask for it, left the task half done.`,
      },
      next: {
        es: "Compara las dos llamadas al modelo de tu código: ¿qué lleva una que no lleva la otra?",
        en: "Compare the two calls of the model in your code: what does one carry that the other does not?",
      },
    };
  },
};

export default diagnosis;
