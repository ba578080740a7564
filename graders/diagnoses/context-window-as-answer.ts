import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import { givenBack } from "./find/given-back.ts";
import { exchanges } from "./find/requests.ts";
import { soleStopReasonTest } from "./point/stop-reason.ts";
import { code, count, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "context-window-as-answer",
  rank: 249,
  weight: "fault",
  exercise: "3.6",
  explains: ["preamble-as-answer"],
  detect(run) {
    const reply = givenBack(run);
    if (reply?.message.stop_reason !== "model_context_window_exceeded") return null;
    const said = cut(reply.message.content.findLast(isText)?.text ?? "", 80);
    const request = exchanges(run.trace).find((exchange) => exchange.request.seq === reply.request)?.request;
    const sent = count(request?.history.length ?? 0, ["mensaje", "mensajes"], ["message", "messages"]);
    return {
      turn: reply.turn,
      at: soleStopReasonTest(run.source) ?? run.at,
      headline: {
        es: "La ventana de contexto se llenó y devolviste lo que alcanzó a caber",
        en: "The context window filled up and you returned whatever had fitted",
      },
      detail: {
        es: `Tu función devolvió «${said}». Esa respuesta llegó con \`stop_reason\` ${code("model_context_window_exceeded")}: entre el historial (${sent.es}) y lo que llevaba escrito, al modelo no le quedó espacio para terminar. Es un texto a medias, y subir \`max_tokens\` no le daría más sitio.`,
        en: `Your function returned "${said}". That reply came with \`stop_reason\` ${code("model_context_window_exceeded")}: between the history (${sent.en}) and what it had written, the model had no room left to finish. It is half a text, and raising \`max_tokens\` would give it no more space.`,
      },
      next: {
        es: "¿En qué se parece este final a un `end_turn` para tu código, y qué debería pasar antes de darlo por bueno?",
        en: "What makes this end look like an `end_turn` to your code, and what should happen before you take it for one?",
      },
    };
  },
};

export default diagnosis;
