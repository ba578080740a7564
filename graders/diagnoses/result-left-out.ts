import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { type Asked, askedById, markOf, ran } from "./find/calls.ts";
import { toJson } from "./find/json.ts";
import { pairs } from "./find/pairing.ts";
import { blockText, type Exchange, exchanges, historyText } from "./find/requests.ts";
import { isPromise } from "./find/unawaited.ts";
import { fixedContent } from "./point/results.ts";
import { code, count, cut, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "result-left-out",
  rank: 405,
  weight: "fault",
  exercise: "2.4",
  detect(run) {
    const left = leftOut(run);
    const first = left[0];
    if (first === undefined) return null;
    const { request } = first.exchange;
    const said = cut(first.said, 60);
    const tools = names(left.map(({ asked }) => asked.name));
    const results = count(left.length, ["resultado", "resultados"], ["result", "results"]);
    return {
      turn: request.turn,
      at: fixedContent(run.source) ?? request.at,
      headline: {
        es: "Lo que devolvió la herramienta no llegó al modelo: recibió un texto fijo",
        en: "What the tool returned never reached the model: it got a fixed text",
      },
      detail: text([
        {
          es: `Tu bucle ejecutó ${tools.es} y contestó con ${results.es}, `,
          en: `Your loop ran ${tools.en} and answered with ${results.en}, `,
        },
        said === ""
          ? { es: "sin nada en `content`. ", en: "with nothing in `content`. " }
          : left.length === 1
            ? { es: `que dice solo «${said}». `, en: `which says only "${said}". ` }
            : { es: `que dicen solo «${said}» o poco más. `, en: `which say only "${said}" or little more. ` },
        {
          es: `Para ${code(first.asked.id)} la herramienta había devuelto ${code(first.value, 80)}. Eso es lo que el modelo esperaba leer: de lo que pasó no sabe más que lo que dice ese texto.`,
          en: `For ${code(first.asked.id)} the tool had returned ${code(first.value, 80)}. That is what the model was waiting to read: of what happened it knows no more than that text says.`,
        },
      ]),
      next: {
        es: "¿En qué variable queda lo que devuelve `executeTool`, y en qué lugar del `tool_result` vuelve a aparecer?",
        en: "Which variable holds what `executeTool` returns, and where in the `tool_result` does it turn up again?",
      },
    };
  },
};

interface LeftOut {
  exchange: Exchange;
  asked: Asked;
  said: string;
  value: unknown;
}

/** Words of a text that says no more than that a call was made: the only kind that one result alone is found by. */
const ACKNOWLEDGING = new Set(
  (
    "ok okay done success successful successfully succeeded executed completed finished ran received result tool true undefined null " +
    "hecho listo éxito ejecutado ejecutada completado completada terminado terminada recibido recibida resultado herramienta"
  ).split(" "),
);

/**
 * The results of calls that went well, when in the whole run none of them says anything of what its tool gave back, all say
 * the same but for what the model had said itself, and no request holds it in any other place. Empty otherwise: a result
 * that was summed up or cut short is one. What a value turns into by mistake, other diagnoses tell.
 */
function leftOut({ trace }: Run): LeftOut[] {
  const marks = ran(trace).flatMap(({ result }) => (result?.outcome.kind === "value" ? markOf(result.outcome) : []));
  const sent = exchanges(trace).map(({ request }) => historyText(request));
  if (sent.some((said) => marks.some((mark) => said.includes(mark)))) return [];

  const left: LeftOut[] = [];
  const texts = new Map<string, string[]>();
  for (const { request, reply, results } of pairs(trace)) {
    const asked = askedById(trace, request.seq);
    for (const result of results) {
      const call = asked.get(result.tool_use_id);
      const given = call === undefined || result.is_error === true ? null : givenBy(trace, call, request.seq);
      if (call === undefined || given === null) continue;
      const said = blockText(result).trim();
      if (isPromise(result.content) || said.includes("[object ")) return [];
      const ofModel = new Set(wordsOf(`${call.id} ${call.key}`));
      const ofTool = new Set(wordsOf(toJson(given.value)));
      const own = wordsOf(said).filter((word) => !ofModel.has(word));
      if (own.some((word) => ofTool.has(word) || /\d/.test(word))) return [];
      texts.set(own.join(" "), own);
      left.push({ exchange: { request, reply }, asked: call, said, value: given.value });
    }
  }
  const [words, ...others] = texts.values();
  if (words === undefined || others.length > 0) return [];
  const several = new Set(left.map(({ asked }) => asked.key)).size > 1;
  return several || words.length === 0 || words.some((word) => ACKNOWLEDGING.has(word)) ? left : [];
}

/** What a call gave back before a point of the run; null where it was not run by then, or did not go well. */
function givenBy(trace: Run["trace"], call: Asked, before: number): { value: unknown } | null {
  const run = ran(trace).findLast(
    ({ key, result }) => key === call.key && result !== null && result.seq > call.reply.seq && result.seq < before,
  );
  const outcome = run?.result?.outcome;
  return outcome?.kind === "value" && outcome.nonce !== null ? { value: outcome.value } : null;
}

function wordsOf(said: string): string[] {
  return said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export default diagnosis;
