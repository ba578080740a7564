import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { ReplyEvent, RequestEvent } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { delivered, isEnd } from "./find/calls.ts";
import { bareText } from "./find/given-back.ts";
import { exchanges } from "./find/requests.ts";
import { text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "cut-stream-as-answer",
  rank: 247,
  weight: "fault",
  exercise: "6.2",
  explains: ["preamble-as-answer", "stopped-early", "overload-not-retried"],
  detect(run) {
    const found = begunAnswer(run);
    if (found === null) return null;
    const { request, how, said } = found;
    return {
      turn: request.turn,
      at: request.at ?? run.at,
      headline: {
        es: "La respuesta se cortó a mitad del streaming y devolviste el comienzo",
        en: "The reply broke off while it was streaming and you returned its beginning",
      },
      detail: text([
        {
          es: `Lo que devolvió tu función termina en «${endOf(said)}». `,
          en: `What your function returned ends in "${endOf(said)}". `,
        },
        how === "error" ? BY_ERROR : JUST_SO,
        {
          es: " Lo que habías acumulado es el principio de una respuesta, y el modelo no llegó a decir cómo terminaba.",
          en: " What you had gathered is the beginning of a reply, and the model never got to say how it ended.",
        },
      ]),
      next: {
        es: "¿Qué evento del stream dice que la respuesta está completa, y qué hace tu código cuando no llega?",
        en: "Which event of the stream says that the reply is complete, and what does your code do when it does not come?",
      },
    };
  },
};

const BY_ERROR: Text = {
  es: "El stream empezó bien y en medio llegó un evento `error`, así que no hubo `message_stop`.",
  en: "The stream began well and an `error` event came in the middle, so there was no `message_stop`.",
};
const JUST_SO: Text = {
  es: "El stream empezó bien y se acabó sin más, antes del `message_stop`.",
  en: "The stream began well and simply ended, before its `message_stop`.",
};

/** The end of a text, on one line: where it broke off is what there is to see. */
function endOf(said: string): string {
  const line = said.replace(/\s+/g, " ");
  return line.length <= 80 ? line : `…${line.slice(-79)}`;
}

interface Begun {
  request: RequestEvent;
  how: NonNullable<ReplyEvent["broke"]>["how"];
  said: string;
}

/** The broken stream whose beginning is the last thing in the bare text returned, when no whole answer came after it. */
function begunAnswer(run: Run): Begun | null {
  const answer = bareText(run)?.trim();
  if (answer === undefined || delivered(run.trace).some(isEnd)) return null;
  for (const { request, reply } of exchanges(run.trace).toReversed()) {
    if (!reply?.broke) continue;
    const { begun, how } = reply.broke;
    const said = begun.content
      .filter(isText)
      .map((block) => block.text)
      .join("")
      .trim();
    if (said !== "" && answer.endsWith(said)) return { request, how, said };
  }
  return null;
}

export default diagnosis;
