import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { givesReason, isBareText, settled } from "./find/answer.ts";
import type { Delivered } from "./find/calls.ts";
import { bareText, givenBack } from "./find/given-back.ts";
import { exchanges } from "./find/requests.ts";
import { paused, serverCalls } from "./find/server-tools.ts";
import { soleStopReasonTest } from "./point/stop-reason.ts";
import { code, cut, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "pause-turn-as-end",
  rank: 248,
  weight: "fault",
  exercise: "3.4",
  explains: ["preamble-as-answer"],
  detect(run) {
    const asAnswer = givenBack(run);
    const given = asAnswer?.message.stop_reason === "pause_turn" ? asAnswer : null;
    const reply = given ?? endedAt(run);
    if (reply === null) return null;
    return {
      turn: reply.turn,
      at: soleStopReasonTest(run.source) ?? run.at,
      headline: {
        es: "El turno solo estaba en pausa y tu bucle lo dio por terminado",
        en: "The turn was only paused and your loop took it for finished",
      },
      detail: text([
        given === null
          ? {
              es: `La última respuesta llegó con \`stop_reason\` ${code("pause_turn")} y tu función terminó ahí. `,
              en: `The last reply came with \`stop_reason\` ${code("pause_turn")} and your function ended there. `,
            }
          : {
              es: `Tu función devolvió «${cut(given.message.content.findLast(isText)?.text ?? "", 80)}», que es de una respuesta con \`stop_reason\` ${code("pause_turn")}. `,
              en: `Your function returned "${cut(given.message.content.findLast(isText)?.text ?? "", 80)}", which is from a reply with \`stop_reason\` ${code("pause_turn")}. `,
            },
        working(reply),
        {
          es: "El modelo no había terminado: esperaba que le devolvieras ese turno para seguir con él.",
          en: "The model had not finished: it was waiting for you to send that turn back, to go on with it.",
        },
      ]),
      next: {
        es: "¿Con qué valores de `stop_reason` da tu bucle otra vuelta, y qué hace con los demás?",
        en: "On which values of `stop_reason` does your loop make another pass, and what does it do with the rest?",
      },
    };
  },
};

/** What the API was at when it paused. */
function working(reply: Delivered): Text {
  const call = serverCalls(reply).at(-1);
  if (call === undefined) return { es: "", en: "" };
  return {
    es: `La API seguía ocupada con ${code(call.name)} (${code(call.id)}), una herramienta que corre de su lado. `,
    en: `The API was still busy with ${code(call.name)} (${code(call.id)}), a tool that runs on its side. `,
  };
}

/**
 * The paused reply that a run ended at as if nothing followed. A pause is no reason to give up, unlike a truncated reply: the
 * Message does not say why the loop left it there, just as one that asks for tools does not. A loop gives up that throws,
 * that says so in a field or in words of its own, or that had sent a paused turn back before: that one has a cap.
 */
function endedAt(run: Run): Delivered | null {
  const end = settled(run.trace);
  const [reply, ...more] = paused(run.trace);
  if (run.outcome !== "returned" || end === null || reply === undefined || more.length > 0) return null;
  if (run.scenario.endlessFrom !== null || givesReason(end.value)) return null;
  if (isBareText(end.value) && bareText(run) === null) return null;
  return exchanges(run.trace).at(-1)?.reply === reply ? reply : null;
}

export default diagnosis;
