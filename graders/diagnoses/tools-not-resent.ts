import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import { askedBy, delivered } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tools-not-resent",
  rank: 530,
  weight: "fault",
  exercise: "2.3",
  explains: ["answer-not-returned", "stopped-early", "preamble-as-answer"],
  detect(run) {
    // Dropping the tools after many turns is how a soft cap says enough. Right after the first results it is a loss.
    const never = neverOffered(run);
    if (never !== null) return never;
    const first = exchanges(run.trace)[0]?.request;
    const opening = delivered(run.trace)[0];
    if (first === undefined || opening === undefined || first.tools.length === 0 || askedBy(opening).length === 0)
      return null;
    const second = exchanges(run.trace).find(({ request }) => request.seq > opening.seq);
    if (second?.reply?.kind !== "message" || second.reply.entry !== null) return null;
    const left = second.request.tools;
    const missing = first.tools.filter((name) => !left.includes(name));
    if (missing.length === 0) return null;
    const forbidden = forbidsTools(second.request.body);
    const offered = names(first.tools);
    return {
      turn: second.request.turn,
      at: second.request.at,
      headline: forbidden
        ? {
            es: "En la segunda llamada el modelo tenía prohibido usar sus herramientas",
            en: "In the second call the model was not allowed to use its tools",
          }
        : left.length > 0
          ? {
              es: "En la segunda llamada el modelo ya no tenía todas sus herramientas",
              en: "In the second call the model no longer had all of its tools",
            }
          : {
              es: "En la segunda llamada el modelo ya no tenía sus herramientas",
              en: "In the second call the model no longer had its tools",
            },
      detail: forbidden
        ? {
            es: `La primera petición ofrecía ${offered.es}. La siguiente también llevaba herramientas, pero con un \`tool_choice\` de tipo \`none\`, que prohíbe usarlas: el modelo todavía necesitaba una y, sin poder pedirla, dejó la tarea a medias.`,
            en: `The first request offered ${offered.en}. The next one carried tools too, but with a \`tool_choice\` of type \`none\`, which forbids their use: the model still needed one and, unable to ask for it, left the task half done.`,
          }
        : {
            es: `La primera petición ofrecía ${offered.es}; ${left.length > 0 ? `en la siguiente faltaba ${names(missing).es}` : "la siguiente, ninguna"}. La API no recuerda nada entre peticiones: el modelo todavía necesitaba una herramienta y, sin poder pedirla, dejó la tarea a medias.`,
            en: `The first request offered ${offered.en}; ${left.length > 0 ? `the next one lacked ${names(missing).en}` : "the next one, none"}. The API remembers nothing between requests: the model still needed a tool and, unable to ask for it, left the task half done.`,
          },
      next: {
        es: "Compara las dos llamadas al modelo de tu código: ¿qué lleva una que no lleva la otra?",
        en: "Compare the two calls of the model in your code: what does one carry that the other does not?",
      },
    };
  },
};

/** The first request offers no tools, and the model would have needed one at once. */
function neverOffered({ scenario, trace }: Run): Finding | null {
  const first = exchanges(trace)[0];
  if (first === undefined || first.request.tools.length > 0 || scenario.tools.length === 0) return null;
  if (first.reply?.kind !== "message" || first.reply.entry !== null) return null;
  const offered = names(scenario.tools.map(({ name }) => name));
  const forbidden = forbidsTools(first.request.body);
  return {
    turn: first.request.turn,
    at: first.request.at,
    headline: forbidden
      ? {
          es: "El modelo tenía prohibido usar sus herramientas desde la primera llamada",
          en: "From the first call on the model was not allowed to use its tools",
        }
      : {
          es: "El modelo no recibió sus herramientas en la primera llamada",
          en: "The first call did not give the model its tools",
        },
    detail: text([
      forbidden
        ? {
            es: "La primera petición llevaba herramientas, pero con un `tool_choice` de tipo `none`, que prohíbe usarlas. ",
            en: "The first request carried tools, but with a `tool_choice` of type `none`, which forbids their use. ",
          }
        : {
            es: `Tu función recibió ${offered.es}, y en la primera petición no iba ninguna. `,
            en: `Your function was given ${offered.en}, and the first request carried none of them. `,
          },
      {
        es: "El modelo solo puede pedir lo que le ofrece la petición misma: sin herramientas que pedir, contestó con palabras y dejó la tarea sin hacer.",
        en: "The model can ask only for what the request itself offers: with no tool to ask for, it answered in words and left the task undone.",
      },
    ]),
    next: {
      es: "¿Qué recibe tu función además del mensaje del usuario, y en qué campo de la petición viaja?",
      en: "What is your function given besides the user's message, and in which field of the request does it travel?",
    },
  };
}

/** Whether a request carries tools and says that none may be used. */
function forbidsTools(body: unknown): boolean {
  if (!isRecord(body) || !Array.isArray(body.tools) || body.tools.length === 0) return false;
  return isRecord(body.tool_choice) && body.tool_choice.type === "none";
}

export default diagnosis;
