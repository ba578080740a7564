import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import { runsFor } from "./find/alike.ts";
import { type Asked, askedById, markOf, namesOf } from "./find/calls.ts";
import { runInPlaceOf } from "./find/in-place.ts";
import { orphans, type Pair, pairs } from "./find/pairing.ts";
import { blockText, type Exchange } from "./find/requests.ts";
import { idlessResult, mixesUp, resultField } from "./point/messages.ts";
import { apiSaid, code, json, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "wrong-tool-use-id",
  rank: 380,
  weight: "fault",
  exercise: "2.4",
  explains: ["dropped-tool-result", "duplicate-tool-result", "rejected-request-retried"],
  detect(run) {
    const wrong = wrongIds(run.trace);
    if (wrong === null) return null;
    return {
      turn: wrong.request.turn,
      at: wrong.swapped
        ? mixesUp(run.source)
        : (resultField(run.source, "tool_use_id") ?? idlessResult(run.source) ?? wrong.request.at),
      headline: wrong.headline,
      detail: text([wrong.what, apiSaid(wrong.reply)]),
      next: wrong.swapped ? PAIRED_BY : BROUGHT_BY,
    };
  },
};

const BROUGHT_BY: Text = {
  es: "¿De dónde sale el `tool_use_id` de cada resultado, y qué bloque lo traía?",
  en: "Where does each result's `tool_use_id` come from, and which block brought it?",
};
const PAIRED_BY: Text = {
  es: "Sigue lo que devuelve cada herramienta hasta su `tool_result`: ¿en qué línea se junta con un id, y cómo elige tu código cuál?",
  en: "Follow what each tool returns to its `tool_result`: on which line is it put with an id, and how does your code choose which?",
};

const NO_ID: Text = {
  es: "Un resultado no dice a qué llamada responde",
  en: "A result does not say which call it answers",
};
const UNKNOWN_ID: Text = {
  es: "Un resultado responde con un id que no es de ninguna llamada",
  en: "A result answers with an id that is no call's",
};
const OTHER_ID: Text = {
  es: "Un resultado responde con el id de otra llamada",
  en: "A result answers with the id of another call",
};

interface Wrong extends Exchange {
  headline: Text;
  what: Text;
  /** Each id is one of the turn's, and what it goes with is another call's. */
  swapped: boolean;
}

function wrongIds(trace: Trace): Wrong | null {
  const unknown = orphans(trace).find(({ why }) => why === "unknown");
  if (unknown) {
    const given = unknown.result.tool_use_id;
    const none = given === undefined || given === null;
    const shown = none
      ? { es: "no lleva ningún id.", en: "carries no id." }
      : {
          es: `lleva el id ${json(given, 40)}, que no es el de ningún \`tool_use\` que el modelo haya enviado.`,
          en: `carries the id ${json(given, 40)}, which is that of no \`tool_use\` the model has sent.`,
        };
    const pair = pairs(trace).find(
      ({ request }) => request === unknown.request && pairHasForeign(unknown.request, trace),
    );
    const ids = pair ? names(pair.missing.map(({ id }) => id)) : null;
    return {
      request: unknown.request,
      reply: unknown.reply,
      headline: none ? NO_ID : UNKNOWN_ID,
      swapped: false,
      what: {
        es: `Un \`tool_result\` ${shown.es}${ids ? ` El modelo esperaba ${ids.es}.` : ""} Por el id, y no por el nombre ni por el orden, sabe qué llamada se responde.`,
        en: `A \`tool_result\` ${shown.en}${ids ? ` The model was waiting for ${ids.en}.` : ""} By the id, not by name or order, it knows which call is answered.`,
      },
    };
  }
  for (const pair of pairs(trace)) {
    if (
      pair.repeated.length > 0 &&
      pair.missing.length > 0 &&
      new Set(pair.uses.map(({ id }) => id)).size === pair.uses.length
    ) {
      const same = pair.repeated[0]!;
      const owner = pair.uses.find(({ id }) => id === same);
      return {
        request: pair.request,
        reply: pair.reply,
        headline: OTHER_ID,
        swapped: false,
        what: {
          es: `Varios resultados llevan el mismo id, el de ${code(owner?.name ?? same)} (${code(same)}), y ${names(namesOf(pair.missing)).es} se queda sin respuesta. El modelo esperaba un resultado por cada id.`,
          en: `Several results carry the same id, that of ${code(owner?.name ?? same)} (${code(same)}), and ${names(namesOf(pair.missing)).en} gets no answer. The model was waiting for one result per id.`,
        },
      };
    }
    const swapped = swappedIn(trace, pair);
    if (swapped) return { request: pair.request, reply: pair.reply, headline: OTHER_ID, swapped: true, what: swapped };
  }
  return null;
}

function pairHasForeign(request: Exchange["request"], trace: Trace): boolean {
  return pairs(trace).some((pair) => pair.request === request && pair.foreign.length > 0 && pair.missing.length > 0);
}

/** A result that holds what another call of the same turn returned. */
function swappedIn(trace: Trace, pair: Pair): Text | null {
  if (pair.uses.length < 2) return null;
  const asked = askedById(trace, pair.request.seq);
  for (const result of pair.results) {
    const own = asked.get(result.tool_use_id);
    // Run with the other's input, it has what came of that: the id is right.
    if (own === undefined || runInPlaceOf(trace, own) !== null) continue;
    const said = blockText(result);
    const holdsOf = (call: Asked) =>
      runsFor(trace, call).some(
        ({ result: gave }) =>
          gave?.outcome.kind === "value" && markOf(gave.outcome).some((mark) => said.includes(mark)),
      );
    const other = pair.uses
      .flatMap(({ id }) => asked.get(id) ?? [])
      .find((call) => call.key !== own.key && holdsOf(call));
    if (other === undefined || holdsOf(own)) continue;
    return {
      es: `El resultado con el id de ${code(own.name)} (${json(own.input)}) trae lo que devolvió ${code(other.name)} (${json(other.input)}). El modelo los empareja por id, así que leerá cada dato donde no es.`,
      en: `The result with the id of ${code(own.name)} (${json(own.input)}) brings what ${code(other.name)} (${json(other.input)}) returned. The model pairs them by id, so it will read each fact in the wrong place.`,
    };
  }
  return null;
}

export default diagnosis;
