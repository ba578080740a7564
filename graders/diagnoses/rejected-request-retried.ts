import type { Diagnosis } from "../trace/diagnosis.ts";
import { bodyText, exchanges } from "./find/requests.ts";
import { apiSaid, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "rejected-request-retried",
  rank: 710,
  weight: "fault",
  exercise: "5.4",
  detect(run) {
    const all = exchanges(run.trace);
    const index = all.findIndex(({ request, reply }, place) => {
      const before = all[place - 1];
      return (
        reply?.kind === "rejection" &&
        before?.reply?.kind === "rejection" &&
        bodyText(before.request) === bodyText(request)
      );
    });
    const again = all[index];
    if (again === undefined) return null;
    const body = bodyText(again.request);
    const sent = all.filter(({ request, reply }) => reply?.kind === "rejection" && bodyText(request) === body).length;
    return {
      turn: again.request.turn,
      at: again.request.at,
      headline: {
        es: "La API rechazó una petición y tu código la envió otra vez igual",
        en: "The API rejected a request and your code sent it again unchanged",
      },
      detail: text([
        {
          es: `La misma petición salió ${times(sent).es}. Un 400 dice que está mal formada: repetirla no cambia la respuesta, y esconde el error que la explica.`,
          en: `The same request went out ${times(sent).en}. A 400 says that it is malformed: repeating it does not change the answer, and hides the error that explains it.`,
        },
        apiSaid(again.reply),
      ]),
      next: {
        es: "¿Cómo distingue tu código un error que se arregla esperando de uno que no?",
        en: "How does your code tell an error that mends by waiting from one that does not?",
      },
    };
  },
};

export default diagnosis;
