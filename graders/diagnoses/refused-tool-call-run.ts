import type { Diagnosis } from "../trace/diagnosis.ts";
import { delivered } from "./find/calls.ts";
import { runOf, writtenIn } from "./find/cut-calls.ts";
import { code, json } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "refused-tool-call-run",
  rank: 242,
  weight: "fault",
  exercise: "3.5",
  explains: ["wrong-tool-input", "tool-error-crashes", "tool-error-unflagged"],
  detect(run) {
    for (const reply of delivered(run.trace)) {
      if (reply.message.stop_reason !== "refusal") continue;
      const found = runOf(run.trace, reply.seq, writtenIn(reply.message));
      if (found === null) continue;
      const { call } = found.run;
      return {
        turn: call.turn,
        at: call.at ?? run.at,
        headline: {
          es: "Ejecutaste una llamada que venía dentro de una negativa",
          en: "You ran a call that came inside a refusal",
        },
        detail: {
          es: `La respuesta llegó con \`stop_reason\` ${code("refusal")} y traía un \`tool_use\` de ${code(found.call.name)} (${code(found.call.id)}). Tu bucle lo ejecutó con ${json(call.input, 90)}. Esa respuesta fue declinada a mitad de camino: lo que hay en ella ya no es una petición, y el modelo no esperaba ningún resultado.`,
          en: `The reply came with \`stop_reason\` ${code("refusal")} and brought a \`tool_use\` of ${code(found.call.name)} (${code(found.call.id)}). Your loop ran it with ${json(call.input, 90)}. That reply was declined on its way: what is in it is no request any more, and the model was waiting for no result.`,
        },
        next: {
          es: "¿Qué decide que tu código ejecute algo: que haya un bloque `tool_use`, o por qué paró el modelo?",
          en: "What makes your code run something: that there is a `tool_use` block, or why the model stopped?",
        },
      };
    }
    return null;
  },
};

export default diagnosis;
