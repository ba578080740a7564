import type { Diagnosis } from "../trace/diagnosis.ts";
import { askedById, ran } from "./find/calls.ts";
import { pairs } from "./find/pairing.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tool-error-unflagged",
  rank: 900,
  weight: "advice",
  exercise: "5.2",
  detect(run) {
    const runs = ran(run.trace);
    for (const { request, reply, results } of pairs(run.trace)) {
      if (reply?.kind !== "message") continue;
      const asked = askedById(run.trace, request.seq);
      for (const result of results) {
        const call = asked.get(result.tool_use_id);
        if (call === undefined || result.is_error === true) continue;
        // Several runs of one call: what was sent is what the last of them gave.
        const last = runs.findLast(
          (each) => each.key === call.key && each.call.seq > call.reply.seq && each.call.seq < request.seq,
        );
        if (last?.result?.outcome.kind !== "error") continue;
        return {
          turn: request.turn,
          at: request.at,
          headline: {
            es: "Una herramienta falló y el modelo recibió el fallo como un resultado normal",
            en: "A tool failed and the model got the failure as an ordinary result",
          },
          detail: {
            es: `${code(call.name)} falló («${cut(last.result.outcome.message, 100)}») y su \`tool_result\` no lleva \`is_error: true\`. La API lo acepta, pero el modelo tiene que adivinar por el texto que algo salió mal.`,
            en: `${code(call.name)} failed ("${cut(last.result.outcome.message, 100)}") and its \`tool_result\` does not carry \`is_error: true\`. The API accepts it, but the model has to guess from the text that something went wrong.`,
          },
          next: {
            es: "¿Qué campo de `tool_result` sirve para decir que el contenido es un error?",
            en: "Which field of `tool_result` is there to say that the content is an error?",
          },
        };
      }
    }
    return null;
  },
};

export default diagnosis;
