import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { type Asked, askedBy, isDelivered, ran, scriptOf } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { code, errorSaid, names, wayOut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "unknown-tool-crashes",
  rank: 538,
  weight: "fault",
  exercise: "5.1",
  explains: ["tool-error-crashes", "uncaught"],
  detect(run) {
    const found = crashedOn(run);
    if (found === null || run.error === null) return null;
    const call = ran(run.trace).find((each) => each.call.answers === found.id)?.call ?? null;
    const offered = names(run.scenario.tools.map(({ name }) => name));
    const said = errorSaid(run.error);
    const way = wayOut(run);
    return {
      turn: found.reply.turn,
      at: call?.at ?? run.error.stack[0] ?? run.at,
      headline: {
        es: "El modelo pidió una herramienta que no existe y tu bucle se cayó",
        en: "The model asked for a tool that does not exist and your loop went down",
      },
      detail: {
        es: `En su respuesta ${found.reply.turn} el modelo pidió ${code(found.name)} (id ${code(found.id)}), y solo le ofreciste ${offered.es}. Lo que ${way.es} fue ${said.es}. El modelo esperaba un \`tool_result\` para ese id, también para un nombre inventado: con un error que se lo dijera habría elegido otra herramienta.`,
        en: `In its reply ${found.reply.turn} the model asked for ${code(found.name)} (id ${code(found.id)}), and all you had offered was ${offered.en}. What ${way.en} was ${said.en}. The model was waiting for a \`tool_result\` for that id, made-up name or not: told by an error, it would have picked another tool.`,
      },
      next: {
        es: "¿Qué hace tu código con un `name` que no está entre tus herramientas, y qué le llega al modelo?",
        en: "What does your code do with a `name` that is none of your tools, and what does the model get to hear?",
      },
    };
  },
};

/** The made-up call that a run died on: one of the last reply, which nothing was sent after, and no other call's failure. */
function crashedOn(run: Run): Asked | null {
  if ((run.outcome !== "threw" && run.kind !== "uncaught") || run.error === null) return null;
  const last = exchanges(run.trace).at(-1)?.reply ?? null;
  if (last === null || !isDelivered(last)) return null;
  const invented = askedBy(last).filter((asked) => scriptOf(run.scenario, asked)?.invented);
  const { name, message } = run.error;
  const failed = ran(run.trace).filter(({ call, result }) => call.seq > last.seq && result?.outcome.kind === "error");
  const blamed = failed.find(
    ({ result }) => result?.outcome.kind === "error" && message.includes(result.outcome.message),
  );
  const named = invented.find((asked) => message.includes(asked.name));
  if (blamed !== undefined) return invented.find(({ id }) => id === blamed.call.answers) ?? null;
  // A loop that gives up for another reason throws as well: only one that names the tool gives up because of it.
  if (name === "AgentStopped") return named ?? null;
  return named ?? invented[0] ?? null;
}

export default diagnosis;
