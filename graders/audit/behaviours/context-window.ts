import { isEnd } from "../../diagnoses/find/calls.ts";
import type { Behaviour } from "../behaviour.ts";
import { BOTH_HALVES, didAtTheEnd, holdsWords, judgeReply } from "../handed-back.ts";
import { fails, holds, repliesOf, requestsOf, stoppedBy } from "../judging.ts";

/** The context window fills up in the middle of a text. */
const behaviour: Behaviour = {
  id: "context-window",
  order: 140,
  title: {
    es: "No da por respuesta lo que alcanzó a caber en la ventana de contexto",
    en: "Does not take what still fitted into the context window for the answer",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "La ventana de contexto se llena", en: "The context window fills up" }, [
      {
        text: { es: "{{nonce}} Empiezo por el principio, que es", en: "{{nonce}} I begin at the beginning, which is" },
        stopReason: "model_context_window_exceeded",
      },
      { text: { es: "Y así es como acaba. {{nonce}}", en: "And that is how it ends. {{nonce}}" } },
    ]),
  ],
  judge: ([run]) => {
    const reply = stoppedBy(run, "model_context_window_exceeded");
    return judgeReply(run, reply, {
      what: {
        es: "La respuesta llegó cortada con `model_context_window_exceeded`",
        en: "The reply came cut off with `model_context_window_exceeded`",
      },
      own: ["context-window-as-answer", "restarted-conversation", "empty-message-pushed", "retry-storm"],
      asAnswer: {
        es: "Nada avisa de que a ese texto le falta el final.",
        en: "Nothing tells that the end of that text is missing.",
      },
      whole: () => {
        const end = run && repliesOf(run).find((each) => isEnd(each));
        const request = run && requestsOf(run).find(({ seq }) => seq === end?.request);
        const wentOn = request?.history.some(({ role }) => role === "assistant") ?? false;
        if (run && reply && end && wentOn && holdsWords(run, end) && !holdsWords(run, reply)) {
          const did = didAtTheEnd(run);
          return fails(
            {
              es: `La ventana de contexto cortó la respuesta, el bucle dejó seguir al modelo y al final ${did.es}: es solo la segunda mitad.`,
              en: `The context window cut the reply off, the loop let the model go on and in the end ${did.en}: that is only the second half.`,
            },
            { next: BOTH_HALVES },
          );
        }
        return holds({
          es: "La ventana de contexto cortó la respuesta y el bucle siguió hasta tener una entera.",
          en: "The context window cut the reply off and the loop went on until it had a whole one.",
        });
      },
    });
  },
};

export default behaviour;
