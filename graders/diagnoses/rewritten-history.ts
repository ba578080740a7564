import { isText, isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { askedBy, askedById, type Delivered, delivered, keyOf, namesOf } from "./find/calls.ts";
import { orphans, renamedIn } from "./find/pairing.ts";
import { type Exchange, exchanges, newFrom } from "./find/requests.ts";
import { saidTwice } from "./find/said-twice.ts";
import { nonces } from "./find/script.ts";
import { hadNoOther, pushedTwice } from "./find/surplus.ts";
import { assistantTurn, turnPerCall, wordsBesideTurn } from "./point/messages.ts";
import { apiSaid, code, json, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "rewritten-history",
  rank: 370,
  weight: "fault",
  exercise: "2.7",
  explains: ["rejected-request-retried"],
  detect(run) {
    const repeated = saidTwice(run.scenario, run.trace);
    for (const exchange of exchanges(run.trace)) {
      const renamed = renamedCall(run, exchange);
      const change = renamed ?? changeIn(run, exchange);
      const twice = change === null ? twiceIn(exchange, repeated) : null;
      const told = change ?? twice;
      if (told === null) continue;
      const plain = renamed !== null ? assistantTurn : twice !== null ? wordsBesideTurn : turnPerCall;
      return {
        turn: exchange.request.turn,
        at: plain(run.source) ?? exchange.request.at,
        headline: {
          es: "El historial ya no dice lo que el modelo dijo",
          en: "The history no longer says what the model said",
        },
        detail: text([told, apiSaid(exchange.reply)]),
        next: {
          es: "Compara lo que llegó del modelo con lo que le devuelves: ¿qué línea lo cambia o lo copia de más?",
          en: "Compare what came from the model with what you send back: which line changes it or copies it once too often?",
        },
      };
    }
    return null;
  },
};

/** A call that came back in its turn under another id, while its result goes by the id the model gave it. */
function renamedCall({ trace }: Run, { request }: Exchange): Text | null {
  const orphan = orphans(trace).find((each) => each.request === request && each.why === "renamed");
  const asked = orphan?.asked;
  if (!asked) return null;
  const known = askedById(trace, request.seq);
  const use = request.history.flatMap((message) => renamedIn(message, asked, known) ?? [])[0];
  if (use === undefined) return null;
  return {
    es: `El modelo pidió ${code(asked.name)} con el id ${code(asked.id)}, que es el que lleva su resultado. En tu historial, el turno del modelo trae esa misma llamada con otro id, ${code(use.id)}: el modelo los empareja por el id, y así ni la llamada tiene resultado ni el resultado tiene llamada.`,
    en: `The model asked for ${code(asked.name)} with the id ${code(asked.id)}, which is the one its result carries. In your history the model's turn holds that same call under another id, ${code(use.id)}: the model pairs them by id, so the call has no result and the result has no call.`,
  };
}

/** The words of a turn that stand there once more, beside the turn with its calls. */
function twiceIn({ request }: Exchange, repeated: ReturnType<typeof saidTwice>): Text | null {
  if (pushedTwice(request).length > 0) return null;
  const reply = repeated(request);
  if (reply === null) return null;
  const said = code(reply.message.content.find(isText)?.text ?? "", 80);
  return {
    es: `El modelo dijo ${said} una sola vez, en el turno en que pidió ${names(namesOf(askedBy(reply))).es}. En lo que enviaste esas palabras están de más: en su turno y otra vez al lado.`,
    en: `The model said ${said} only once, in the turn in which it asked for ${names(namesOf(askedBy(reply))).en}. In what you sent those words stand there too often: in its turn, and once more beside it.`,
  };
}

function changeIn(run: Run, { request }: Exchange): Text | null {
  const asked = askedById(run.trace, request.seq);
  const replies = delivered(run.trace).filter(({ seq }) => seq < request.seq);
  const twice = asked.get(pushedTwice(request)[0] ?? "");
  // A turn kept once more after the API turned its request down comes of that.
  if (twice && !hadNoOther(run.trace, twice.reply, request.seq)) {
    return {
      es: `El turno en que el modelo pidió ${code(twice.name)} está dos veces en lo que enviaste. El modelo lo dijo una sola vez.`,
      en: `The turn in which the model asked for ${code(twice.name)} stands twice in what you sent. The model said it only once.`,
    };
  }
  for (const { role, content } of request.history.slice(newFrom(run.trace).get(request) ?? 0)) {
    if (role !== "assistant") continue;
    const uses = content.filter(isToolUse);
    for (const use of uses) {
      const original = asked.get(use.id);
      if (original === undefined || original.key === keyOf(String(use.name), use.input)) continue;
      return {
        es: `El modelo pidió ${code(original.name)} con ${json(original.input)}; en tu historial esa misma llamada dice ${code(String(use.name))} con ${json(use.input)}. El modelo razona sobre lo que lee ahí.`,
        en: `The model asked for ${code(original.name)} with ${json(original.input)}; in your history that same call says ${code(String(use.name))} with ${json(use.input)}. The model reasons on what it reads there.`,
      };
    }
    const origins = new Set(uses.map(({ id }) => asked.get(id)?.reply).filter((reply) => reply !== undefined));
    if (origins.size > 1) {
      return {
        es: `Juntaste en un solo turno de \`assistant\` las llamadas de ${origins.size} respuestas distintas. El modelo pidió unas, vio sus resultados y solo entonces pidió las otras.`,
        en: `You put the calls of ${origins.size} different replies in one \`assistant\` turn. The model asked for some, saw their results, and only then asked for the others.`,
      };
    }
    for (const block of content) {
      const said = isText(block) && typeof block.text === "string" ? alteredText(run, replies, block.text) : null;
      if (said !== null) return said;
      if (block.type === "thinking" && isAltered(replies, block)) {
        return {
          es: "Un bloque `thinking` del modelo no es el que envió: está firmado, y con cualquier cambio la firma deja de valer.",
          en: "A `thinking` block of the model is not the one it sent: it is signed, and with any change the signature no longer holds.",
        };
      }
    }
  }
  return null;
}

function alteredText(run: Run, replies: readonly Delivered[], found: string): Text | null {
  for (const reply of replies) {
    const marks = nonces(run.scenario, reply).text;
    if (!marks.some((mark) => found.includes(mark))) continue;
    const originals = reply.message.content.filter(isText).map((block) => block.text.trim());
    if (originals.some((original) => found.includes(original))) return null;
    return {
      es: `El modelo dijo ${code(originals[0] ?? "", 80)}; en tu historial su turno dice ${code(found, 80)}.`,
      en: `The model said ${code(originals[0] ?? "", 80)}; in your history its turn says ${code(found, 80)}.`,
    };
  }
  return null;
}

/** Whether a thinking block shares its signature or its words with a delivered one and is not the same. */
function isAltered(replies: readonly Delivered[], block: { type: string; [key: string]: unknown } | object): boolean {
  const { thinking, signature } = block as { thinking?: unknown; signature?: unknown };
  const originals = replies.flatMap(({ message }) => message.content.filter((each) => each.type === "thinking"));
  const kin = originals.filter(
    (each) => each.signature === signature || (each.thinking !== "" && each.thinking === thinking),
  );
  return kin.length > 0 && !kin.some((each) => each.signature === signature && each.thinking === thinking);
}

export default diagnosis;
