import type { Diagnosis } from "../trace/diagnosis.ts";
import type { ToolResultEvent } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { isHollow } from "./find/answer.ts";
import { type Asked, askedById, markOf, ran } from "./find/calls.ts";
import { toJson } from "./find/json.ts";
import { pairs } from "./find/pairing.ts";
import { contentText, type Exchange, exchanges, historyText } from "./find/requests.ts";
import { unawaitedTools } from "./find/unawaited.ts";
import { cutOff } from "./point/left-out.ts";
import { plainResult } from "./point/messages.ts";
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
    const how = howOf(first);
    const tools = names(left.map(({ asked }) => asked.name));
    const results = count(left.length, ["resultado", "resultados"], ["result", "results"]);
    return {
      turn: request.turn,
      at: (how === "cut" ? cutOff(run.source) : fixedContent(run.source)) ?? plainResult(run.source) ?? request.at,
      headline: HEADLINES[how],
      detail: text([
        {
          es: `Tu bucle ejecutó ${tools.es} y contestó con ${results.es}, `,
          en: `Your loop ran ${tools.en} and answered with ${results.en}, `,
        },
        SAID[how](said, left.length),
        {
          es: ` Para ${code(first.asked.id)} la herramienta había devuelto ${code(first.value, VALUE_CHARS)}: eso es lo que el modelo esperaba leer, y ${how === "cut" ? "el resto no le llegó" : "no le llegó"} por ningún lado.`,
          en: ` For ${code(first.asked.id)} the tool had returned ${code(first.value, VALUE_CHARS)}: that is what the model was waiting to read, and ${how === "cut" ? "the rest of it reached it" : "it reached it"} nowhere.`,
        },
      ]),
      next:
        how === "cut"
          ? {
              es: "Sigue lo que devuelve `executeTool` hasta el `tool_result`: ¿en qué paso pierde su final?",
              en: "Follow what `executeTool` returns to the `tool_result`: at which step does it lose its end?",
            }
          : {
              es: "¿En qué variable queda lo que devuelve `executeTool`, y en qué lugar del `tool_result` vuelve a aparecer?",
              en: "Which variable holds what `executeTool` returns, and where in the `tool_result` does it turn up again?",
            },
    };
  },
};

/**
 * What was answered instead: nothing, an empty value as JSON, the reply that asked or a part of it, the beginning of the
 * result, or a text that says as much of any result.
 */
type How = "empty" | "hollow" | "echo" | "cut" | "fixed";

/** How much of a value is shown. */
const VALUE_CHARS = 80;

/** A result of up to so many characters is short: nobody has to cut it. */
const SHORT_CHARS = 2_000;

const HEADLINES: Record<How, Text> = {
  empty: {
    es: "Lo que devolvió la herramienta no llegó al modelo: recibió un resultado vacío",
    en: "What the tool returned never reached the model: it got an empty result",
  },
  hollow: {
    es: "Lo que devolvió la herramienta no llegó al modelo: recibió un valor vacío",
    en: "What the tool returned never reached the model: it got an empty value",
  },
  cut: {
    es: "Al modelo solo le llegó el principio de lo que devolvió la herramienta",
    en: "Only the beginning of what the tool returned reached the model",
  },
  echo: {
    es: "Lo que devolvió la herramienta no llegó al modelo: recibió lo que él mismo dijo",
    en: "What the tool returned never reached the model: it got back its own words",
  },
  fixed: {
    es: "Lo que devolvió la herramienta no llegó al modelo: recibió un texto fijo",
    en: "What the tool returned never reached the model: it got a fixed text",
  },
};

const SAID: Record<How, (said: string, many: number) => Text> = {
  empty: () => ({ es: "sin nada en `content`.", en: "with nothing in `content`." }),
  hollow: (said) => ({
    es: `con ${code(said)} en \`content\`: un valor sin nada dentro.`,
    en: `with ${code(said)} in \`content\`: a value with nothing inside.`,
  }),
  cut: (said, many) =>
    many === 1
      ? { es: `cortado: el modelo leyó «${said}» y nada más.`, en: `cut off: the model read "${said}" and no more.` }
      : {
          es: `cortados: del primero el modelo leyó «${said}» y nada más.`,
          en: `cut off: of the first the model read "${said}" and no more.`,
        },
  echo: (said) => ({
    es: `con lo mismo que el modelo había escrito: «${said}».`,
    en: `with what the model itself had written: "${said}".`,
  }),
  fixed: (said, many) =>
    many === 1
      ? { es: `que dice solo «${said}».`, en: `which says only "${said}".` }
      : { es: `que dicen solo «${said}» o poco más.`, en: `which say only "${said}" or little more.` },
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
 * The results of calls that went well and of whose value the model got nothing, in its place or in any other; or no more than
 * its beginning, though it was short. Alone such a result is found where it says nothing at all, only what the model had said,
 * or that beginning; else none of the run may say anything of what its tool gave back, and all the same. Empty otherwise: a
 * result that was summed up is one. What a value turns into by mistake, other diagnoses tell.
 */
function leftOut({ trace }: Run): LeftOut[] {
  // The latest first: they hold what those before held, as a rule.
  const sent = exchanges(trace)
    .map(({ request }) => historyText(request))
    .reverse();
  const arrived = (outcome: ToolResultEvent["outcome"] | undefined) =>
    markOf(outcome).some((mark) => sent.some((said) => said.includes(mark)));
  // What a loop that does not wait sends in the place of a result, it sends in every turn.
  const unawaited = unawaitedTools(trace) !== null;
  const results = pairs(trace).flatMap(({ request, reply, results }) => {
    const asked = askedById(trace, request.seq);
    return results.flatMap((result) => {
      const call = asked.get(result.tool_use_id);
      const given = call === undefined || result.is_error === true ? null : givenBy(trace, call, request.seq);
      if (call === undefined || given === null) return [];
      const said = contentText(result.content).trim();
      const spoilt = !isReadable(result.content) || (unawaited && isHollow(said)) || said.includes("[object ");
      return { exchange: { request, reply }, asked: call, said, value: given.value, spoilt, arrived: arrived(given) };
    });
  });
  const lost = results.filter((each) => !each.arrived && !each.spoilt);
  for (const ways of [["empty", "hollow", "echo"], ["cut"]]) {
    const bare = lost.filter((each) => ways.includes(howOf(each)));
    if (bare.length > 0) return bare;
  }

  const some = ran(trace).some(({ result }) => result?.outcome.kind === "value" && arrived(result.outcome));
  if (some || results.some(({ spoilt }) => spoilt)) return [];
  const texts = new Map<string, string[]>();
  for (const { asked, said, value } of results) {
    const ofTool = new Set(wordsOf(toJson(value)));
    const own = ownWords(said, `${asked.id} ${asked.key}`);
    if (own.some((word) => ofTool.has(word) || /\d/.test(word))) return [];
    texts.set(own.join(" "), own);
  }
  const [words, ...others] = texts.values();
  if (words === undefined || others.length > 0) return [];
  const several = new Set(results.map(({ asked }) => asked.key)).size > 1;
  return several || words.length === 0 || words.some((word) => ACKNOWLEDGING.has(word)) ? results : [];
}

/** Whether a result is nothing, a text, or blocks of text: not an image, and no value that the API refuses. */
function isReadable(content: unknown): boolean {
  if (content === undefined || content === null || typeof content === "string") return true;
  return Array.isArray(content) && content.every((block: unknown) => isRecord(block) && block.type === "text");
}

function howOf(result: Pick<LeftOut, "said" | "asked" | "value">): How {
  if (result.said === "") return "empty";
  if (isHollow(result.said)) return "hollow";
  if (echoes(result)) return "echo";
  return isCut(result) ? "cut" : "fixed";
}

/** Whether a text is the beginning of a short value, and says nothing of being cut. */
function isCut({ said, value }: Pick<LeftOut, "said" | "value">): boolean {
  const wholes = [toJson(value), ...(typeof value === "string" ? [value.trim()] : [])];
  const start = said.replace(/\\?"$/, "");
  return wholes.some((whole) => whole.length <= SHORT_CHARS && whole.length > said.length && whole.startsWith(start));
}

/** Whether a result is the reply that asked for it, or a part of that: it holds an id of the API's, and no other words. */
function echoes({ said, asked }: Pick<LeftOut, "said" | "asked">): boolean {
  const { message } = asked.reply;
  return [message.id, asked.id].some((id) => said.includes(id)) && ownWords(said, toJson(message)).length === 0;
}

type GoodOutcome = Extract<ToolResultEvent["outcome"], { kind: "value" }>;

/** What a call gave back before a point of the run; null where it was not run by then, or did not go well. */
function givenBy(trace: Run["trace"], call: Asked, before: number): GoodOutcome | null {
  const run = ran(trace).findLast(
    ({ key, result }) => key === call.key && result !== null && result.seq > call.reply.seq && result.seq < before,
  );
  const outcome = run?.result?.outcome;
  return outcome?.kind === "value" && outcome.nonce !== null ? outcome : null;
}

/** The words of a text that the model had not said itself. */
function ownWords(said: string, ofModel: string): string[] {
  const known = new Set(wordsOf(ofModel));
  return wordsOf(said).filter((word) => !known.has(word));
}

function wordsOf(said: string): string[] {
  return said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export default diagnosis;
