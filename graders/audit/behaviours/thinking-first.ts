import { stable } from "../../diagnoses/find/json.ts";
import type { ReplyBlock } from "../../trace/api.ts";
import type { Behaviour } from "../behaviour.ts";
import { didAtTheEnd, holdsThinking, holdsWords } from "../handed-back.ts";
import { answersTo, fails, faultIn, holds, rejectedAfter, repliesOf, unseen, wasTaken } from "../judging.ts";

/** Thinking before a call, signed and encrypted, and before the final words. */
const behaviour: Behaviour = {
  id: "thinking-first",
  order: 220,
  title: {
    es: "Guarda entero el razonamiento firmado que viene con una llamada",
    en: "Keeps the signed thinking that comes with a call whole",
  },
  severity: "harms",
  scenarios: (cast) => {
    const call = cast.call();
    if (call === null) return null;
    return [
      cast.script({ es: "Piensa antes de pedir", en: "It thinks before it asks" }, [
        {
          thinking: {
            es: "Primero conviene mirar eso. {{nonce}}",
            en: "That had better be looked at first. {{nonce}}",
          },
          redacted: "EroBCkYIBxgCKkD0mSx4b3Jr",
          text: { es: "Lo miro. {{nonce}}", en: "I will look at it. {{nonce}}" },
          calls: [call],
        },
        {
          thinking: {
            es: "Con esto ya se puede responder. {{nonce}}",
            en: "Now there is an answer to give. {{nonce}}",
          },
          text: { es: "Está todo en orden. {{nonce}}", en: "All is in order. {{nonce}}" },
        },
      ]),
    ];
  },
  judge: ([run]) => {
    const turn = run && repliesOf(run)[0];
    if (run === undefined || turn === undefined) return unseen(run);
    const own = faultIn([run], ["dropped-thinking"]);
    if (own !== null) return own;
    const rejected = rejectedAfter(run, turn);
    if (rejected !== null && /thinking|signature/.test(rejected.message.en)) return rejected;
    const answered = answersTo(run, turn);
    if (answered === null || !wasTaken(run, answered.request)) return unseen(run);
    const kept = answered.request.history.flatMap(({ content }) => content).map((block) => stable(block));
    const thinking = turn.message.content.filter(isThinking);
    const lost = thinking.filter((block) => !kept.includes(stable(block)));
    if (lost.length > 0) {
      const types = lost.map(({ type }) => `\`${type}\``);
      return fails({
        es: `El turno del modelo volvió sin ${types.join(" ni ")} tal como llegó.`,
        en: `The model's turn went back without ${types.join(" or ")} as it came.`,
      });
    }
    const end = repliesOf(run).find(({ final }) => final);
    if (end && run.outcome === "returned" && !holdsWords(run, end) && holdsThinking(run, end)) {
      const did = didAtTheEnd(run);
      return fails(
        {
          es: `El bucle ${did.es}: son palabras del razonamiento, no la respuesta.`,
          en: `The loop ${did.en}: those are words of the thinking, not the answer.`,
        },
        { diagnosis: faultIn([run], ["answer-not-returned"])?.diagnosis ?? null },
      );
    }
    return holds({
      es: "Un bloque de razonamiento firmado y otro cifrado volvieron como llegaron, junto al `tool_use`.",
      en: "A block of signed thinking and an encrypted one went back as they came, beside the `tool_use`.",
    });
  },
};

function isThinking({ type }: ReplyBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

export default behaviour;
