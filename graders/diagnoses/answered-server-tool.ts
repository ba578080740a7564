import type { ServerToolUseBlock } from "../trace/api.ts";
import { isToolResult } from "../trace/api.ts";
import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { isDelivered } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { serverCalls, serverCallsById } from "./find/server-tools.ts";
import { takesAnyToolUse } from "./point/results.ts";
import { apiSaid, code, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "answered-server-tool",
  rank: 382,
  weight: "fault",
  exercise: "3.4",
  explains: [
    "wrong-tool-use-id",
    "wrong-tool-input",
    "tool-error-crashes",
    "tool-error-unflagged",
    "pause-turn-with-new-message",
    "rejected-request-retried",
  ],
  detect: (run) => answered(run) ?? triedToRun(run),
};

/** A result for a call that the API runs itself. */
function answered({ trace, source }: Run): Finding | null {
  const calls = serverCallsById(trace);
  for (const { request, reply } of exchanges(trace)) {
    const results = request.history.filter(({ role }) => role === "user").flatMap(({ content }) => content);
    const call = results.filter(isToolResult).flatMap((result) => calls.get(result.tool_use_id) ?? [])[0];
    if (call === undefined) continue;
    return {
      turn: request.turn,
      at: takesAnyToolUse(source) ?? request.at,
      headline: {
        es: "Enviaste un resultado para una herramienta que ejecuta la propia API",
        en: "You sent a result for a tool that the API itself runs",
      },
      detail: text([
        {
          es: `Entre los \`tool_result\` que enviaste hay uno para ${code(call.id)}. Ese id es de un \`server_tool_use\` de ${code(call.name)}: `,
          en: `Among the \`tool_result\` blocks you sent is one for ${code(call.id)}. That id is of a \`server_tool_use\` of ${code(call.name)}: `,
        },
        WHOSE,
        apiSaid(reply),
      ]),
      next: NEXT,
    };
  }
  return null;
}

/** A try to run such a call, which no tool of the host has the name of, that the loop went down with. */
function triedToRun({ trace, scenario, source, outcome, kind, error, at }: Run): Finding | null {
  if ((outcome !== "threw" && kind !== "uncaught") || error === null) return null;
  const last = exchanges(trace).at(-1)?.reply ?? null;
  if (last === null || !isDelivered(last)) return null;
  const own = new Set(scenario.tools.map(({ name }) => name));
  // The harness refuses an unknown name before anybody sees it run: what it throws says which.
  const asked = serverCalls(last).find(({ name }) => !own.has(name) && error.message.includes(name));
  if (asked === undefined) return null;
  return { turn: last.turn, at: takesAnyToolUse(source) ?? error.stack[0] ?? at, ...tried(asked) };
}

function tried({ id, name }: ServerToolUseBlock): Pick<Finding, "headline" | "detail" | "next"> {
  return {
    headline: {
      es: "Tu bucle quiso ejecutar una herramienta que ejecuta la propia API",
      en: "Your loop tried to run a tool that the API itself runs",
    },
    detail: text([
      {
        es: `Tu código quiso ejecutar ${code(name)}, que no está entre tus herramientas, y se detuvo ahí. Está en un bloque \`server_tool_use\` (${code(id)}): `,
        en: `Your code tried to run ${code(name)}, which is not among your tools, and ended there. It stands in a \`server_tool_use\` block (${code(id)}): `,
      },
      WHOSE,
    ]),
    next: NEXT,
  };
}

const WHOSE = {
  es: "lo pide el modelo y lo resuelve la API, que pone el resultado en el turno del propio modelo. De ti no esperaba nada para ese id.",
  en: "the model asks and the API sees to it, and puts the result in the model's own turn. For that id it was waiting for nothing from you.",
};
const NEXT = {
  es: "¿Con qué tipos de bloque llega tu código a preparar un resultado, y cuáles de ellos te tocan a ti?",
  en: "For which types of block does your code get to make a result, and which of them are yours to answer?",
};

export default diagnosis;
