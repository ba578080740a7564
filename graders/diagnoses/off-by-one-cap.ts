import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { type Delivered, isDelivered } from "./find/calls.ts";
import { ACCIDENTS } from "./find/ending.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { capCheck } from "./point/cap-check.ts";

const diagnosis: Diagnosis = {
  id: "off-by-one-cap",
  rank: 225,
  weight: "fault",
  exercise: "3.1",
  detect(run) {
    const cap = run.cap ?? null;
    const over = cap === null ? null : oneTooMany(run, cap);
    if (cap === null || over === null) return null;
    return {
      turn: over.reply.turn,
      at: capCheck(run.source, cap) ?? over.request.at,
      headline: {
        es: "Tu bucle tiene un tope, y da una vuelta más de las que ese tope permite",
        en: "Your loop has a cap, and goes round once more than that cap allows",
      },
      detail: {
        es: `El tope es de ${cap} llamadas al modelo, y tu bucle hizo ${cap + 1} con herramientas antes de rendirse. En la respuesta ${over.reply.turn} el modelo volvió a pedir una, y hasta ahí no debía llegar nadie: un tope que se pasa por uno no es el que anunciaste.`,
        en: `The cap is ${cap} requests, and your loop made ${cap + 1} with tools before it gave up. In reply ${over.reply.turn} the model asked for another tool, and nobody should have got that far: a cap that is missed by one is not the cap you announced.`,
      },
      next: {
        es: "Sigue tu contador a mano: ¿cuánto vale antes de la primera llamada, y cuánto cuando se compara por última vez?",
        en: "Follow your counter by hand: what is it before the first request, and what when it is compared for the last time?",
      },
    };
  },
};

/**
 * The one request with tools beyond the cap, of a loop that gave up by itself. A last request without tools, to hear how
 * far the model got, is no lap: a cap may land softly.
 */
function oneTooMany(run: Run, cap: number): (Exchange & { reply: Delivered }) | null {
  if (run.scenario.endlessFrom === null) return null;
  if (run.outcome !== "returned" && run.outcome !== "threw") return null;
  // What fell over on its way was not stopped by its cap.
  if (run.error !== null && ACCIDENTS.includes(run.error.name)) return null;
  const all = exchanges(run.trace);
  const last = all.at(-1)?.reply ?? null;
  if (last === null || !isDelivered(last)) return null;
  const laps = all.filter(
    (each): each is Exchange & { reply: Delivered } =>
      each.reply !== null && isDelivered(each.reply) && each.request.tools.length > 0,
  );
  return laps.length === cap + 1 ? laps[cap]! : null;
}

export default diagnosis;
