import type { Diagnosis } from "../trace/diagnosis.ts";
import type { ReplyEvent, Trace } from "../trace/events.ts";
import { ran } from "./find/calls.ts";
import { isPassingFault, isTurnedDown } from "./find/faults.ts";
import { bodyText, type Exchange, exchanges } from "./find/requests.ts";
import {
  FAULTS_IN_A_ROW,
  REFUSALS_IN_A_ROW,
  REJECTED_IN_A_ROW,
  REJECTIONS_IN_A_ROW,
  TOOL_FAILURES_IN_A_ROW,
} from "./limits/limits.ts";
import { apiSaid, code, cut, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "retry-storm",
  rank: 700,
  weight: "fault",
  exercise: "4.1",
  explains: ["rejected-request-retried", "overload-not-retried", "stopped-early"],
  stops: (trace) => storm(trace) !== null,
  detect(run) {
    const found = storm(run.trace);
    if (run.kind !== diagnosis.id || found === null) return null;
    const last = exchanges(run.trace).at(-1);
    const at = found.kind === "tool" ? (ran(run.trace).at(-1)?.call.at ?? null) : (last?.request.at ?? null);
    const turn = run.trace.at(-1)?.turn ?? 0;
    if (found.kind === "tool") {
      return {
        turn,
        at,
        headline: {
          es: "Tu bucle repite sin límite una herramienta que siempre falla",
          en: "Your loop repeats a tool that always fails, with no limit",
        },
        detail: {
          es: `${code(found.name)} falló ${found.times} veces seguidas con el mismo input: «${cut(found.message, 120)}». Repetir un par de veces es razonable; después, quien puede decidir otra cosa es el modelo, y nadie le contó que la herramienta falla.`,
          en: `${code(found.name)} failed ${found.times} times in a row with the same input: "${cut(found.message, 120)}". Trying again a couple of times is reasonable; after that the model is the one who can decide on something else, and nobody told it that the tool fails.`,
        },
        next: {
          es: "¿Cómo le contarías ese fallo al modelo en lugar de volver a intentarlo?",
          en: "How would you tell the model about that failure instead of trying again?",
        },
      };
    }
    if (found.kind === "refusal") {
      return {
        turn,
        at,
        headline: {
          es: "El modelo se negó a responder y tu bucle le insistió sin parar",
          en: "The model refused to answer and your loop kept insisting",
        },
        detail: {
          es: `${found.times} respuestas seguidas llegaron con \`stop_reason: "refusal"\`, y entre una y otra tu bucle volvió a preguntar. Una negativa es una respuesta completa: el mismo modelo ya decidió sobre esa petición.`,
          en: `${found.times} replies in a row came with \`stop_reason: "refusal"\`, and between one and the next your loop asked again. A refusal is a complete reply: that same model has already decided about that request.`,
        },
        next: {
          es: '¿Qué hace tu condición cuando `stop_reason` es `"refusal"`?',
          en: 'What does your condition do when `stop_reason` is `"refusal"`?',
        },
      };
    }
    if (found.kind === "fault") {
      return {
        turn,
        at,
        headline: {
          es: "El servidor seguía fallando y tu bucle insistió sin límite",
          en: "The server kept failing and your loop insisted with no limit",
        },
        detail: text([
          {
            es: `Tu código envió ${found.times} peticiones seguidas que el servidor no pudo atender. Reintentar está bien, pero con un tope: una caída puede durar horas.`,
            en: `Your code sent ${found.times} requests in a row that the server could not serve. Retrying is fine, but with a limit: an outage may last for hours.`,
          },
          apiSaid(last?.reply ?? null),
        ]),
        next: {
          es: "¿Cuántos intentos le das antes de rendirte, y cómo se entera quien llamó a `runAgent`?",
          en: "How many attempts do you allow before giving up, and how does the caller of `runAgent` learn of it?",
        },
      };
    }
    const same = found.kind === "same-body";
    const status = last?.reply?.status ?? 400;
    return {
      turn,
      at,
      headline: {
        es: "La API rechaza lo que envías y tu bucle lo vuelve a enviar",
        en: "The API rejects what you send and your loop sends it again",
      },
      detail: text([
        {
          es: `${found.times} peticiones seguidas fueron rechazadas${same ? ", todas con el mismo cuerpo" : ""}. Un ${status} no es mala suerte: algo de la propia petición no puede ser, y nada cambia por repetirla. Si un \`catch\` se queda con el error, nadie lo lee.`,
          en: `${found.times} requests in a row were rejected${same ? ", all with the same body" : ""}. A ${status} is not bad luck: something about the request itself cannot be, and repeating it changes nothing. If a \`catch\` keeps the error, nobody reads it.`,
        },
        apiSaid(last?.reply ?? null),
      ]),
      next: {
        es: "Imprime el mensaje del error: dice qué le pasa a tu petición.",
        en: "Print the error's message: it says what is wrong with your request.",
      },
    };
  },
};

type Storm =
  | { kind: "same-body" | "rejection" | "fault" | "refusal"; times: number }
  | { kind: "tool"; times: number; name: string; message: string };

function storm(trace: Trace): Storm | null {
  const answered = exchanges(trace).filter(
    (exchange): exchange is Exchange & { reply: ReplyEvent } => exchange.reply !== null,
  );
  const last = answered.at(-1);
  if (last) {
    const inARow = (test: (exchange: Exchange & { reply: ReplyEvent }) => boolean) => {
      const end = answered.findLastIndex((exchange) => !test(exchange));
      return answered.length - 1 - end;
    };
    const rejected = inARow(({ reply }) => isTurnedDown(reply));
    const body = rejected > 0 ? bodyText(last.request) : "";
    const same = rejected > 0 ? inARow(({ request, reply }) => isTurnedDown(reply) && bodyText(request) === body) : 0;
    if (same >= REJECTED_IN_A_ROW) return { kind: "same-body", times: same };
    if (rejected >= REJECTIONS_IN_A_ROW) return { kind: "rejection", times: rejected };
    const faults = inARow(({ reply }) => isPassingFault(reply));
    if (faults >= FAULTS_IN_A_ROW) return { kind: "fault", times: faults };
    const refusals = inARow(({ reply }) => reply.message?.stop_reason === "refusal");
    if (refusals >= REFUSALS_IN_A_ROW) return { kind: "refusal", times: refusals };
  }
  return failingTool(trace);
}

function failingTool(trace: Trace): Storm | null {
  if (trace.at(-1)?.type !== "tool-result" && trace.at(-1)?.type !== "settled") return null;
  const finished = ran(trace).filter(({ result }) => result !== null);
  const last = finished.at(-1);
  if (last?.result?.outcome.kind !== "error") return null;
  const end = finished.findLastIndex(({ key, result }) => key !== last.key || result?.outcome.kind !== "error");
  const times = finished.length - 1 - end;
  if (times < TOOL_FAILURES_IN_A_ROW) return null;
  return { kind: "tool", times, name: last.call.name, message: last.result.outcome.message };
}

export default diagnosis;
