import { isText } from "../trace/api.ts";
import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { isBareText, mentions, settled, stringsIn } from "./find/answer.ts";
import { type Delivered, delivered, isEnd } from "./find/calls.ts";
import { nonces } from "./find/script.ts";
import { holdsInOrder, lackOfTextAlone } from "./find/text-alone.ts";
import { wayOut } from "./point/way-out.ts";
import { count, cut, json, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "answer-not-returned",
  rank: 620,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const end = settled(run.trace);
    const replies = delivered(run.trace);
    const last = replies.findLast(isEnd);
    if (run.outcome !== "returned" || end === null || last === undefined) return null;
    const marks = nonces(run.scenario, last);
    const missing = marks.text.filter((mark) => !mentions(end.value, [mark]));
    if (missing.length === 0) {
      return isOutOfOrder(end.value, marks.text) ? shuffled(run, last) : notAlone(run, last, end.value);
    }
    if (missing.length < marks.text.length) return isBareText(end.value) ? inPart(run, last, missing.length) : null;
    const begun = beginning(last, end.value);
    if (begun !== null) return cutOff(run, last, begun);
    const { content } = last.message;
    const place = content.findIndex((block) => block.type === "text");
    const block = content[place];
    const answer = cut(block?.type === "text" ? block.text : "", 80);
    const older = replies.some((reply) => reply !== last && mentions(end.value, nonces(run.scenario, reply).text));
    return {
      turn: last.turn,
      at: endOf(run, last),
      headline: {
        es: "El modelo dio su respuesta final y tu función no la devolvió",
        en: "The model gave its final answer and your function did not return it",
      },
      detail: text([
        {
          es: `La conversación terminó bien: el modelo respondió «${answer}». `,
          en: `The conversation ended well: the model answered "${answer}". `,
        },
        mentions(end.value, marks.thinking) ? THINKING : older ? OLDER : returned(end.value),
        content[0]?.type === "thinking"
          ? {
              es: ` El texto está en el bloque ${place + 1} de \`content\`: el primero es de \`thinking\`.`,
              en: ` The text is in block ${place + 1} of \`content\`: the first is \`thinking\`.`,
            }
          : "",
      ]),
      next: older
        ? {
            es: "¿Qué variable guarda la última respuesta cuando el bucle termina, y qué devuelve tu `return`?",
            en: "Which variable holds the last reply when the loop ends, and what does your `return` give back?",
          }
        : {
            es: "Sigue la última respuesta hasta el final: ¿hay un `return` en su camino, y de qué bloque toma lo que devuelve?",
            en: "Follow the last reply to the end: is there a `return` on its path, and from which block does it take what it returns?",
          },
    };
  },
};

/** The line that returned, where it is plain. */
function endOf({ source, trace, at }: Run, last: Delivered): Run["at"] {
  return wayOut(source, { stopReason: last.message.stop_reason, value: settled(trace)?.value }) ?? at;
}

/** Whether what was returned is bare text that holds all the blocks of the answer, and nowhere as the model wrote them. */
function isOutOfOrder(value: unknown, marks: readonly string[]): boolean {
  if (!isBareText(value)) return false;
  const whole = [...stringsIn(value), leavesOf(value).join("\n")].filter((said) =>
    marks.every((mark) => said.includes(mark)),
  );
  return whole.length > 0 && !whole.some((said) => holdsInOrder(said, marks));
}

/** Every string in a value as it stands there, first to last. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** The answer came in several blocks of text, and what was returned has them in another order. */
function shuffled(run: Run, last: Delivered): Finding {
  const blocks = last.message.content.filter(isText).length;
  return {
    turn: last.turn,
    at: endOf(run, last),
    headline: {
      es: "Tu función devolvió la respuesta final con sus partes en otro orden",
      en: "Your function returned the final answer with its parts in another order",
    },
    detail: {
      es: `La conversación terminó bien, y la respuesta del modelo traía ${blocks} bloques de texto. Tu función los devolvió todos, pero no en el orden en que el modelo los escribió: quien preguntó recibe la respuesta revuelta.`,
      en: `The conversation ended well, and the model's answer held ${blocks} blocks of text. Your function returned them all, but not in the order the model wrote them: whoever asked gets the answer jumbled.`,
    },
    next: {
      es: "Sigue la lista de textos desde `content` hasta tu `return`: ¿en qué paso cambia de orden?",
      en: "Follow the list of texts from `content` to your `return`: at which step does its order change?",
    },
  };
}

/** The answer came in several blocks of text, and some of them are missing from what was returned. */
function inPart(run: Run, last: Delivered, missing: number): Finding {
  const blocks = last.message.content.filter(isText).length;
  const lost = count(missing, ["bloque", "bloques"], ["block", "blocks"]);
  return {
    turn: last.turn,
    at: endOf(run, last),
    headline: {
      es: "Tu función devolvió solo una parte de la respuesta final",
      en: "Your function returned only part of the final answer",
    },
    detail: {
      es: `La conversación terminó bien, y la respuesta del modelo traía ${blocks} bloques de texto. En lo que devolvió tu función ${missing === 1 ? "falta" : "faltan"} ${lost.es}: quien preguntó se queda sin esa parte.`,
      en: `The conversation ended well, and the model's answer held ${blocks} blocks of text. What your function returned lacks ${lost.en}: whoever asked goes without that part.`,
    },
    next: {
      es: "¿Cuántos bloques de texto puede traer una respuesta, y cuántos de ellos toma tu código?",
      en: "How many blocks of text may a reply hold, and how many of them does your code take?",
    },
  };
}

/** The whole answer is there, and what the exercise asks for is its text alone. */
function notAlone(run: Run, last: Delivered, value: unknown): Finding | null {
  if (!run.demands?.includes("text-alone")) return null;
  const { text: texts } = nonces(run.scenario, last);
  const thoughts = delivered(run.trace).flatMap((reply) => nonces(run.scenario, reply).thinking);
  const lack = lackOfTextAlone(value, { texts, thoughts });
  // Of several blocks none is missing, and nowhere do they stand in their order.
  if (lack === "part") return shuffled(run, last);
  if (lack !== "message" && lack !== "thinking") return null;
  return { turn: last.turn, at: endOf(run, last), ...(lack === "message" ? MESSAGE : WITH_THINKING) };
}

const MESSAGE: Omit<Finding, "turn" | "at"> = {
  headline: {
    es: "Tu función devolvió los bloques de la última respuesta, y no su texto",
    en: "Your function returned the blocks of the last reply, and not its text",
  },
  detail: {
    es: "La conversación terminó bien, y el texto del modelo está en lo que devolvió tu función, pero dentro de un Message o de sus bloques. Quien preguntó espera un texto que pueda leer, y tendría que buscarlo ahí.",
    en: "The conversation ended well, and the model's text is in what your function returned, but inside a Message or its blocks. Whoever asked expects a text to read, and would have to look for it in there.",
  },
  next: {
    es: "`content` es una lista de bloques. ¿Cuáles son de tipo `text`, y en qué campo llevan su texto?",
    en: "`content` is a list of blocks. Which of them are of type `text`, and which of their fields holds the text?",
  },
};

const WITH_THINKING: Omit<Finding, "turn" | "at"> = {
  headline: {
    es: "Junto a la respuesta final, tu función devolvió el razonamiento del modelo",
    en: "Along with the final answer your function returned the model's reasoning",
  },
  detail: {
    es: "La conversación terminó bien, y el texto del modelo está en lo que devolvió tu función. Pero con él van las palabras de su `thinking`: eso el modelo lo escribió para sí, y quien preguntó no tiene por qué leerlo.",
    en: "The conversation ended well, and the model's text is in what your function returned. But the words of its `thinking` come with it: the model wrote those for itself, and whoever asked is not meant to read them.",
  },
  next: {
    es: "¿De qué tipo son los bloques que pasan a lo que devuelves, y cuáles de ellos son la respuesta?",
    en: "Of what types are the blocks that go into what you return, and which of them are the answer?",
  },
};

/** Letters from which on a text that the answer begins with is a piece of it. */
const A_PIECE = 3;

/** The piece of the answer that was returned alone: its beginning, and no whole block of it. Null where it was something else. */
function beginning(last: Delivered, value: unknown): string | null {
  if (!isBareText(value)) return null;
  const texts = last.message.content.filter(isText).map(({ text }) => text.trim());
  const said = stringsIn(value)
    .map((each) => each.trim().replace(/(…|\.\.\.)$/, ""))
    .find((each) => each.length >= A_PIECE && texts.some((text) => text.startsWith(each)));
  return said ?? null;
}

/** Only the beginning of the answer was returned. */
function cutOff(run: Run, last: Delivered, begun: string): Finding {
  const whole = last.message.content.filter(isText).reduce((sum, block) => sum + block.text.trim().length, 0);
  return {
    turn: last.turn,
    at: endOf(run, last),
    headline: {
      es: "Tu función devolvió solo el principio de la respuesta final",
      en: "Your function returned only the beginning of the final answer",
    },
    detail: {
      es: `La conversación terminó bien, y la respuesta del modelo tiene ${whole} caracteres. Tu función devolvió los primeros ${begun.length}: «${cut(begun, 80)}». Quien preguntó se queda sin lo demás.`,
      en: `The conversation ended well, and the model's answer has ${whole} characters. Your function returned the first ${begun.length}: "${cut(begun, 80)}". Whoever asked goes without the rest.`,
    },
    next: {
      es: "Sigue el texto desde `content` hasta tu `return`: ¿en qué paso se acorta?",
      en: "Follow the text from `content` to your `return`: at which step does it get shorter?",
    },
  };
}

const THINKING: Text = {
  es: "Pero lo que tu función devolvió son palabras de su `thinking`, no ese texto.",
  en: "But what your function returned are words of its `thinking`, not that text.",
};
const OLDER: Text = {
  es: "Pero lo que tu función devolvió es de una respuesta anterior de la misma conversación, y no lleva esta.",
  en: "But what your function returned is from an earlier reply of the same conversation, without this one.",
};

/** What was returned in place of the answer. An `undefined` and a `null` are the same in a trace. */
function returned(value: unknown): Text {
  if (value === null || value === undefined) {
    return {
      es: "Pero tu función no devolvió nada (`undefined` o `null`).",
      en: "But your function returned nothing (`undefined` or `null`).",
    };
  }
  if (typeof value === "string" && value.trim() === "")
    return { es: "Pero tu función devolvió un texto vacío.", en: "But your function returned an empty text." };
  return {
    es: `Pero tu función devolvió ${json(value, 80)}, donde no está.`,
    en: `But your function returned ${json(value, 80)}, which does not hold it.`,
  };
}

export default diagnosis;
