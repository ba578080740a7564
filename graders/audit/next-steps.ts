/** One next step for each failure: the diagnosis's where there is one, else the behaviour's. */
import type { JudgedRun } from "../grading/spec.ts";
import type { Text } from "../trace/text.ts";
import type { Behaviour, Seen } from "./behaviour.ts";
import { say } from "./judging.ts";

/**
 * @param fault the finding that tells of the failure; null where none does
 * @param run that shows it
 */
export function nextStep(
  { id }: Pick<Behaviour, "id">,
  fault: JudgedRun["findings"][number] | null,
  run: JudgedRun | null,
  seen: Seen,
): Text {
  if (fault?.id === "no-iteration-cap") {
    const hint = [atMost(seen), ...(seen.tools === "own" && seen.clock === "virtual" ? [NO_TIME] : [])];
    return say((lang) => [fault.next, ...hint].map((text) => text[lang]).join(" "));
  }
  if (fault !== null) return fault.next;
  return run !== null && run.counts.rejected > 0 ? REJECTED : (STEPS[id] ?? LOOK);
}

function atMost({ maxCalls }: Seen): Text {
  return {
    es: `Si tiene un límite mayor que ${maxCalls}, dilo con --max-calls.`,
    en: `If it has a limit above ${maxCalls}, say so with --max-calls.`,
  };
}

const NO_TIME: Text = {
  es: "Un límite de tiempo no se ve así: el reloj es virtual y no avanza mientras corren tus propias herramientas. Con --stub-tools, sí.",
  en: "A limit of time cannot be seen like this: the clock is virtual and stands still while your own tools run. With --stub-tools it moves.",
};

const REJECTED: Text = {
  es: "Imprime los `messages` de la petición rechazada y compáralos con lo que dice la API.",
  en: "Print the `messages` of the rejected request, and compare them with what the API says.",
};

const LOOK: Text = {
  es: "Mira qué hace tu bucle con esa respuesta, desde que la recibe hasta que devuelve algo.",
  en: "Look at what your loop does with that reply, from where it gets it to where it returns.",
};

/** By the behaviour's id. Exported for its test. */
export const STEPS: Readonly<Record<string, Text>> = {
  rounds: {
    es: "Mira qué decide que el bucle termine: mientras `stop_reason` sea `tool_use`, le toca otra vuelta.",
    en: "Look at what makes the loop end: as long as `stop_reason` is `tool_use`, there is another turn to take.",
  },
  "parallel-calls": {
    es: "Recorre todos los bloques `tool_use` de la respuesta y junta sus resultados en un solo mensaje.",
    en: "Go through every `tool_use` block of the reply, and put their results into one message.",
  },
  "full-history": {
    es: "Mira qué quita mensajes del historial, y si lo que quita se puede perder.",
    en: "Look at what takes messages out of the history, and whether what it takes may be lost.",
  },
  "no-text-turn": {
    es: "Mira qué espera tu bucle de una respuesta con herramientas: puede no traer ningún texto.",
    en: "Look at what your loop expects of a reply with calls: it may come without any text.",
  },
  "tool-throws": {
    es: "Pon un `try` alrededor de cada herramienta y devuelve el error como `tool_result` con `is_error: true`.",
    en: "Put a `try` round each tool, and hand its error back as a `tool_result` with `is_error: true`.",
  },
  "one-of-two-throws": {
    es: "Atrapa el error de cada llamada por separado, para que la otra conserve su resultado.",
    en: "Catch the error of each call by itself, so that the other keeps its result.",
  },
  "unknown-tool": {
    es: "Si no hay herramienta con ese nombre, responde con un `tool_result` que lo diga, con `is_error: true`.",
    en: "Where there is no tool of that name, answer with a `tool_result` that says so, with `is_error: true`.",
  },
  "endless-model": {
    es: "Cuando el bucle llegue a su límite, que lance un error o devuelva algo que diga que la tarea quedó a medias.",
    en: "When the loop reaches its limit, let it throw, or return something that says that the task is half done.",
  },
  "truncated-text": {
    es: "Antes de devolver el texto mira `stop_reason`: con `max_tokens` está cortado, y quien lo recibe tiene que saberlo.",
    en: "Look at `stop_reason` before you return the text: with `max_tokens` it is cut off, and whoever gets it has to know.",
  },
  "truncated-call": {
    es: "Antes de ejecutar una llamada mira `stop_reason`: con `max_tokens` su `input` puede estar a medias.",
    en: "Look at `stop_reason` before you run a call: with `max_tokens` its `input` may be half there.",
  },
  refusal: {
    es: 'Dale a `stop_reason: "refusal"` una salida propia: un error, o un campo que lo diga.',
    en: 'Give `stop_reason: "refusal"` a way out of its own: an error, or a field that says so.',
  },
  "refusal-with-call": {
    es: "Ejecuta llamadas solo cuando `stop_reason` sea `tool_use`, no siempre que haya un bloque.",
    en: "Run calls only where `stop_reason` is `tool_use`, not wherever there is a block.",
  },
  "pause-turn": {
    es: "Con `pause_turn`, añade la respuesta al historial tal cual y vuelve a llamar al modelo.",
    en: "At `pause_turn`, add the reply to the history as it came, and call the model again.",
  },
  "context-window": {
    es: "Trata `model_context_window_exceeded` como un texto cortado: que quien lo recibe lo sepa.",
    en: "Treat `model_context_window_exceeded` as a text that is cut off: let whoever gets it know.",
  },
  "stop-sequence": {
    es: "Con `stop_sequence` la respuesta está completa: trátala como `end_turn`.",
    en: "At `stop_sequence` the reply is complete: treat it as `end_turn`.",
  },
  "unknown-stop-reason": {
    es: "Dale al resto de los `stop_reason` una salida: un error con su nombre, por ejemplo.",
    en: "Give every other `stop_reason` a way out: an error with its name, say.",
  },
  "empty-end": {
    es: "Mira qué hace tu bucle con un `content` vacío: con `end_turn`, el modelo terminó.",
    en: "Look at what your loop does with an empty `content`: at `end_turn` the model is done.",
  },
  "rate-limited": {
    es: "Ante un 429 espera lo que diga `retry-after` y repite la petición; el SDK ya lo hace si no le quitas `maxRetries`.",
    en: "At a 429 wait for what `retry-after` says and send the request again; the SDK does unless you take `maxRetries` away.",
  },
  overloaded: {
    es: "Ante un 529 espera y repite la petición; el SDK ya lo hace si no le quitas `maxRetries`.",
    en: "At a 529 wait and send the request again; the SDK does unless you take `maxRetries` away.",
  },
  "bad-request": {
    es: "Deja pasar el error de la API, o devuelve algo que lo diga: repetir la misma petición no la arregla.",
    en: "Let the API's error through, or return something that tells of it: to repeat the request does not mend it.",
  },
  "mid-stream-error": {
    es: "Usa el mensaje solo cuando el stream haya terminado bien: con `finalMessage()`, el error se ve.",
    en: "Use the message only once the stream has ended well: with `finalMessage()` the error is seen.",
  },
  "thinking-first": {
    es: "Añade `response.content` entero al historial, y busca el texto por su `type`, no por su lugar.",
    en: "Add the whole of `response.content` to the history, and find the text by its `type`, not by its place.",
  },
  "two-in-turn": {
    es: "Busca qué vive fuera de la función (un historial, una caché, un contador) y créalo dentro.",
    en: "Look for what lives outside the function (a history, a cache, a counter), and make it inside.",
  },
  "after-endless": {
    es: "Busca qué cuenta vueltas o gasto fuera de la función, y empieza esa cuenta dentro.",
    en: "Look for what counts turns or spending outside the function, and begin that count inside.",
  },
  "two-at-once": {
    es: "Busca qué comparten dos conversaciones fuera de la función y crea uno para cada una.",
    en: "Look for what two conversations share outside the function, and make one for each.",
  },
};
