import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Text } from "../trace/text.ts";
import { isTurnedDown } from "./find/faults.ts";
import { bodyText, exchanges } from "./find/requests.ts";
import { apiSaid, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "rejected-request-retried",
  rank: 710,
  weight: "fault",
  exercise: "5.4",
  detect(run) {
    const all = exchanges(run.trace);
    const place = all.findIndex(({ request }, at) => {
      const before = all[at - 1];
      return isTurnedDown(before?.reply ?? null) && bodyText(before!.request) === bodyText(request);
    });
    const again = all[place];
    const down = all[place - 1]?.reply ?? null;
    if (again === undefined || down === null) return null;
    const body = bodyText(again.request);
    const sent = all.filter(({ request }) => bodyText(request) === body).length;
    const { status } = down;
    return {
      turn: again.request.turn,
      at: again.request.at,
      headline: {
        es: "La API rechazó una petición y tu código la envió otra vez igual",
        en: "The API rejected a request and your code sent it again unchanged",
      },
      detail: text([
        {
          es: `La misma petición salió ${times(sent).es}. Un ${status} habla de ${about(status).es}: repetirla tal cual es pedir el mismo rechazo, y esconde el error que la explica.`,
          en: `The same request went out ${times(sent).en}. A ${status} is about ${about(status).en}: sending it again as it is asks for the same rejection, and hides the error that explains it.`,
        },
        apiSaid(down),
      ]),
      next: {
        es: "¿Cómo distingue tu código un error que se arregla esperando de uno que no?",
        en: "How does your code tell an error that mends by waiting from one that does not?",
      },
    };
  },
};

/** What a status that does not pass by waiting is about. */
function about(status: number): Text {
  if (status === 401 || status === 403)
    return { es: "la clave con la que preguntas y lo que puede hacer", en: "the key you ask with and what it may do" };
  if (status === 413) return { es: "su tamaño", en: "its size" };
  return { es: "lo que lleva la propia petición", en: "what the request itself holds" };
}

export default diagnosis;
