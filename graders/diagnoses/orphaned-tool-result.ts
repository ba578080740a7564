import type { Diagnosis } from "../trace/diagnosis.ts";
import { orphans } from "./find/pairing.ts";
import { apiSaid, code, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "orphaned-tool-result",
  rank: 360,
  weight: "fault",
  exercise: "4.4",
  explains: ["rejected-request-retried", "stopped-early"],
  detect(run) {
    const orphan = orphans(run.trace).find(({ why }) => why === "cut");
    if (orphan === undefined) return null;
    const name = code(orphan.asked?.name ?? orphan.result.tool_use_id);
    return {
      turn: orphan.request.turn,
      at: orphan.request.at,
      headline: {
        es: "Al recortar el historial dejaste un resultado sin su llamada",
        en: "Trimming the history left a result without its call",
      },
      detail: text([
        {
          es: `En la petición sigue el resultado de ${name}, pero el turno del modelo que lo pidió ya no está. Una llamada y su resultado viven juntos: el modelo esperaba los dos, o ninguno.`,
          en: `The request still holds the result of ${name}, but the model's turn that asked for it is gone. A call and its result live together: the model was waiting for both, or neither.`,
        },
        apiSaid(orphan.reply),
      ]),
      next: {
        es: "¿En qué puntos del historial se puede cortar sin separar una pareja?",
        en: "At which points of the history can you cut without parting a pair?",
      },
    };
  },
};

export default diagnosis;
