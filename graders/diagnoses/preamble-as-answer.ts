import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import { settled } from "./find/answer.ts";
import { askedBy, delivered, namesOf } from "./find/calls.ts";
import { givenBack } from "./find/given-back.ts";
import { cutShort } from "./point/way-out.ts";
import { code, cut, names } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "preamble-as-answer",
  rank: 600,
  weight: "fault",
  exercise: "2.3",
  explains: ["stopped-early"],
  detect(run) {
    const preamble = givenBack(run);
    if (preamble?.message.stop_reason !== "tool_use") return null;
    const stopReason = delivered(run.trace).at(-1)?.message.stop_reason ?? null;
    const said = cut(preamble.message.content.find(isText)?.text ?? "", 80);
    const asks = names(namesOf(askedBy(preamble)));
    return {
      turn: preamble.turn,
      at: cutShort(run.source, { stopReason, value: settled(run.trace)?.value }) ?? run.at,
      headline: {
        es: "Devolviste como respuesta lo que el modelo dijo antes de usar una herramienta",
        en: "You returned as the answer what the model said before using a tool",
      },
      detail: {
        es: `Tu función devolvió «${said}». Ese texto venía junto a un \`tool_use\` de ${asks.es}, con \`stop_reason\` ${code("tool_use")}: el modelo anunciaba lo que iba a hacer y esperaba el resultado.`,
        en: `Your function returned "${said}". That text came beside a \`tool_use\` of ${asks.en}, with \`stop_reason\` ${code("tool_use")}: the model was announcing what it was about to do and was waiting for the result.`,
      },
      next: {
        es: "¿Cómo distingues un texto que anuncia de uno que responde, sin leer lo que dice?",
        en: "How do you tell a text that announces from one that answers, without reading what it says?",
      },
    };
  },
};

export default diagnosis;
