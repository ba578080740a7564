import type { Diagnosis } from "../trace/diagnosis.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { isNothing, mentions, settled } from "./find/answer.ts";
import { delivered } from "./find/calls.ts";
import { isTurnedDown } from "./find/faults.ts";
import { bareText } from "./find/given-back.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { nonces } from "./find/script.ts";
import { catchOfModel } from "./point/swallowed.ts";
import { apiSaid, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "rejection-swallowed",
  rank: 598,
  weight: "fault",
  exercise: "5.4",
  explains: ["preamble-as-answer", "cap-returns-nothing"],
  detect(run) {
    const found = swallowed(run);
    if (found === null) return null;
    const { request, reply } = found.exchange;
    return {
      turn: request.turn,
      at: catchOfModel(run.source, request.at) ?? request.at,
      headline: {
        es: "La API rechazó tu petición y tu función terminó sin decírselo a nadie",
        en: "The API rejected your request and your function ended without telling anybody",
      },
      detail: text([
        {
          es: "Después de ese rechazo no salió ninguna otra petición, y tu función ",
          en: "After that rejection no other request went out, and your function ",
        },
        GAVE[found.gave],
        {
          es: " Quien la llamó no puede saber que algo falló, y tú no lees lo que la API te explica.",
          en: " Whoever called it cannot know that something failed, and you do not read what the API tells you.",
        },
        apiSaid(reply),
      ]),
      next: {
        es: "¿Qué `catch` se queda con ese error? Imprímelo antes de seguir: dice qué le pasa a tu petición.",
        en: "Which `catch` keeps that error? Print it before you go on: it says what is wrong with your request.",
      },
    };
  },
};

type Gave = "nothing" | "older";

const GAVE: Record<Gave, Text> = {
  nothing: { es: "no devolvió nada.", en: "returned nothing." },
  older: {
    es: "devolvió lo que el modelo había dicho antes, como si fuera la respuesta.",
    en: "returned what the model had said before, as if it were the answer.",
  },
};

/**
 * The request that the API turned down last of all, in a run that returned without a word of it: nothing, or an older reply.
 * Null where it returned anything of its own, or printed what the API said: that tells.
 */
function swallowed(run: Run): { exchange: Exchange; gave: Gave } | null {
  const end = settled(run.trace);
  const exchange = exchanges(run.trace).at(-1);
  if (run.outcome !== "returned" || end === null || exchange === undefined) return null;
  if (!isTurnedDown(exchange.reply) || hasPrinted(run, exchange)) return null;
  if (isNothing(end.value)) return { exchange, gave: "nothing" };
  const replies = delivered(run.trace);
  const text = bareText(run);
  const words = text !== null && replies.some((reply) => mentions(text, nonces(run.scenario, reply).text));
  const whole = replies.some(({ message }) => message.stop_reason === "tool_use" && isSame(end.value, message.id));
  return words || whole ? { exchange, gave: "older" } : null;
}

function isSame(value: unknown, id: string): boolean {
  return isRecord(value) && value.type === "message" && value.id === id;
}

/** Whether the loop printed what the API answered. */
function hasPrinted({ printed }: Run, { reply }: Exchange): boolean {
  const said = reply?.error?.message ?? "";
  const lines = [...printed.head, ...printed.tail].join("\n");
  return lines.includes(String(reply?.status)) || (said !== "" && lines.includes(said));
}

export default diagnosis;
