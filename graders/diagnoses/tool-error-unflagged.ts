import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { runsFor } from "./find/alike.ts";
import { type Asked, askedBy, askedById, scriptOf } from "./find/calls.ts";
import { pairs } from "./find/pairing.ts";
import { blockText, type Exchange } from "./find/requests.ts";
import { unflaggedResult } from "./point/messages.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tool-error-unflagged",
  rank: 900,
  weight: "advice",
  exercise: "5.2",
  detect(run) {
    const found = unflagged(run);
    if (found === null) return null;
    return {
      turn: found.request.turn,
      at: unflaggedResult(run.source) ?? found.request.at,
      headline: HEADLINES[found.what],
      detail: DETAILS[found.what](found),
      next: {
        es: "¿Qué campo de `tool_result` sirve para decir que el contenido es un error?",
        en: "Which field of `tool_result` is there to say that the content is an error?",
      },
    };
  },
};

/** What was answered as if all were well: a tool that failed, a call that was refused, or one of a tool that does not exist. */
type What = "failed" | "refused" | "unknown";

/** `said`: of a failure the error's words, else what the model was told. */
interface Unflagged extends Exchange {
  asked: Asked;
  said: string;
  what: What;
}

const HEADLINES: Record<What, Text> = {
  failed: {
    es: "Una herramienta falló y el modelo recibió el fallo como un resultado normal",
    en: "A tool failed and the model got the failure as an ordinary result",
  },
  refused: {
    es: "Denegaste una llamada y el modelo lo recibió como un resultado normal",
    en: "You refused a call and the model got the refusal as an ordinary result",
  },
  unknown: {
    es: "La respuesta a una herramienta que no existe le llegó al modelo como un resultado normal",
    en: "The answer to a call of a tool that does not exist reached the model as a result",
  },
};

function ofFailure({ asked, said }: Unflagged): Text {
  const [name, words] = [code(asked.name), cut(said, 100)];
  return {
    es: `${name} falló («${words}») y su \`tool_result\` no lleva \`is_error: true\`. La API lo acepta, pero el modelo tiene que adivinar por el texto que algo salió mal.`,
    en: `${name} failed ("${words}") and its \`tool_result\` does not carry \`is_error: true\`. The API accepts it, but the model has to guess from the text that something went wrong.`,
  };
}

function ofRefusal({ asked, said }: Unflagged): Text {
  const [name, words] = [code(asked.name), cut(said, 100)];
  return {
    es: `${name} no se ejecutó, y el \`tool_result\` que lo dice («${words}») no lleva \`is_error: true\`. La API lo acepta, pero el modelo tiene que adivinar por el texto que lo que pidió no se hizo.`,
    en: `${name} was not run, and the \`tool_result\` that says so ("${words}") does not carry \`is_error: true\`. The API accepts it, but the model has to guess from the text that what it asked for was not done.`,
  };
}

function ofUnknown({ asked, said }: Unflagged): Text {
  const [name, words] = [code(asked.name), cut(said, 100)];
  return {
    es: `${name} no existe, y el \`tool_result\` de esa llamada («${words}») no lleva \`is_error: true\`. La API lo acepta, pero el modelo tiene que adivinar por el texto que inventó la herramienta.`,
    en: `${name} does not exist, and that call's \`tool_result\` ("${words}") does not carry \`is_error: true\`. The API accepts it, but the model has to guess from the text that it made the tool up.`,
  };
}

const DETAILS: Record<What, (found: Unflagged) => Text> = {
  failed: ofFailure,
  refused: ofRefusal,
  unknown: ofUnknown,
};

function unflagged(run: Run): Unflagged | null {
  for (const { request, reply, results } of pairs(run.trace)) {
    if (reply?.kind !== "message") continue;
    const asked = askedById(run.trace, request.seq);
    const plain = results.filter(({ is_error }) => is_error !== true);
    for (const result of plain) {
      const call = asked.get(result.tool_use_id);
      if (call === undefined) continue;
      const runs = runsFor(run.trace, call).filter((each) => each.call.seq < request.seq);
      const script = scriptOf(run.scenario, call);
      if (runs.length === 0 && (script?.refuse || script?.invented))
        return { request, reply, asked: call, said: blockText(result), what: script.refuse ? "refused" : "unknown" };
      const failed = runs.flatMap(({ result: gave }) => (gave?.outcome.kind === "error" ? gave.outcome : []));
      // Of several tries, and of calls that are alike, as many may go without the flag as went well.
      const own = new Set(askedBy(call.reply).flatMap(({ id, key }) => (key === call.key ? id : [])));
      const well = runs.filter(({ result: gave }) => gave?.outcome.kind === "value").length;
      const last = failed.at(-1);
      if (last !== undefined && plain.filter(({ tool_use_id: id }) => own.has(id)).length > well)
        return { request, reply, asked: call, said: last.message, what: "failed" };
    }
  }
  return null;
}

export default diagnosis;
