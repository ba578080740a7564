import { isToolResult } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import { isDelivered, isEnd } from "./find/calls.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { toolChoice } from "./point/messages.ts";
import { code } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "forced-tool-choice",
  rank: 906,
  weight: "advice",
  exercise: "3.1",
  detect(run) {
    const found = forcedEnd(run);
    if (found === null) return null;
    const { request } = found;
    const choice = code(choiceOf(request));
    return {
      turn: request.turn,
      at: toolChoice(run.source) ?? request.at,
      headline: {
        es: "Con ese `tool_choice` el modelo no puede dar una respuesta final",
        en: "With that `tool_choice` the model cannot give a final answer",
      },
      detail: {
        es: `Enviaste los resultados con ${choice}, que obliga al modelo a pedir una herramienta en esa respuesta. Este modelo de prueba sigue su guion y contestó con su texto final; el de verdad tendría que pedir otra, en cada vuelta, y tu bucle no acabaría.`,
        en: `You sent the results with ${choice}, which makes the model ask for a tool in that reply. This test model follows its script and answered with its final text; the real one would have to ask for another, in every turn, and your loop would not end.`,
      },
      next: {
        es: "¿En qué peticiones quieres obligar al modelo a usar una herramienta, y en cuáles debe poder terminar?",
        en: "In which requests do you want to make the model use a tool, and in which ones must it be able to finish?",
      },
    };
  },
};

/**
 * A request with results in it, and with a choice that leaves the model no way to end, to which it gave its final answer. The
 * first request alone may be forced, and a tool of the loop's own may be the way to end.
 */
function forcedEnd({ scenario, trace }: Run): Exchange | null {
  const known = new Set(scenario.tools.map(({ name }) => name));
  const found = exchanges(trace).find(
    ({ request, reply }) =>
      reply !== null &&
      isDelivered(reply) &&
      isEnd(reply) &&
      ["any", "tool"].includes(String(choiceOf(request)?.type)) &&
      request.tools.every((name) => known.has(name)) &&
      request.history.some(({ content }) => content.some(isToolResult)),
  );
  return found ?? null;
}

function choiceOf({ body }: RequestEvent): Record<string, unknown> | null {
  return isRecord(body) && isRecord(body.tool_choice) ? body.tool_choice : null;
}

export default diagnosis;
