import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent, Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import { delivered } from "./find/calls.ts";
import { remember, stable } from "./find/json.ts";
import { exchanges } from "./find/requests.ts";
import { code, count, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "refusal-retried",
  rank: 232,
  weight: "fault",
  exercise: "3.5",
  explains: ["retry-storm", "empty-message-pushed", "rejected-request-retried"],
  detect(run) {
    const again = retried(run.trace);
    const first = again[0];
    if (first === undefined) return null;
    const model = modelOf(first);
    const times = count(again.length, ["vez más", "veces más"], ["more time", "more times"]);
    return {
      turn: first.turn,
      at: first.at,
      headline: {
        es: "El modelo se negó y le volviste a preguntar lo mismo",
        en: "The model refused and you asked it the same again",
      },
      detail: text([
        {
          es: `Una respuesta llegó con \`stop_reason\` ${code("refusal")}. Después tu bucle envió ${times.es} lo mismo`,
          en: `A reply came with \`stop_reason\` ${code("refusal")}. After that your loop sent the same ${times.en}`,
        },
        model === null ? "" : { es: `, al mismo modelo (${code(model)})`, en: `, to the same model (${code(model)})` },
        {
          es: ". Una negativa no es un fallo del servidor: es la respuesta a esa pregunta. El modelo no esperaba nada más.",
          en: ". A refusal is no fault of the server: it is the reply to that question. The model was waiting for nothing more.",
        },
      ]),
      next: {
        es: 'Cuando `stop_reason` es `"refusal"`, ¿qué línea de tu código decide que hay que volver a llamar?',
        en: 'When `stop_reason` is `"refusal"`, which line of your code decides to call again?',
      },
    };
  },
};

/**
 * The requests that put to the same model, after a refusal, just what had been refused: the same system prompt, and no word
 * from the user that was not there. A prompt that was changed or shortened is another prompt.
 */
function retried(trace: Trace): RequestEvent[] {
  const all = exchanges(trace).map(({ request }) => request);
  const again = new Set<RequestEvent>();
  for (const reply of delivered(trace)) {
    if (reply.message.stop_reason !== "refusal") continue;
    const refused = all.find(({ seq }) => seq === reply.request);
    if (refused === undefined) continue;
    const asked = askOf(refused);
    for (const request of all) if (request.seq > reply.seq && askOf(request) === asked) again.add(request);
  }
  return [...again];
}

/** What a request puts to the model, and to which: all that the host says, and nothing that the model said. */
const askOf: (request: RequestEvent) => string = remember(({ body, history }: RequestEvent) => {
  const system = isRecord(body) ? body.system : null;
  const model = isRecord(body) ? body.model : null;
  const said = history.filter(({ role }) => role === "user").flatMap(({ content }) => content);
  return stable({ model, system, said });
});

function modelOf({ body }: RequestEvent): string | null {
  return isRecord(body) && typeof body.model === "string" ? body.model : null;
}

export default diagnosis;
