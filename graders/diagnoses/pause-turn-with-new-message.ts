import type { Block } from "../trace/api.ts";
import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import { toJson } from "./find/json.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { paused, placeOf } from "./find/server-tools.ts";
import { apiSaid, code, cut, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "pause-turn-with-new-message",
  rank: 460,
  weight: "fault",
  exercise: "3.4",
  explains: ["empty-message-pushed", "rejected-request-retried"],
  detect(run) {
    const found = spokenInto(run);
    if (found === null) return null;
    const { request, reply } = found.exchange;
    const said = cut(found.added.find(isText)?.text ?? "", 60);
    return {
      turn: request.turn,
      at: request.at,
      headline: {
        es: "Para seguir un turno en pausa le añadiste un mensaje que no hacía falta",
        en: "To go on with a paused turn you added a message that was not needed",
      },
      detail: text([
        found.held
          ? {
              es: `El modelo paró con \`stop_reason\` ${code("pause_turn")}. Le devolviste su turno, y detrás un mensaje de \`user\``,
              en: `The model stopped with \`stop_reason\` ${code("pause_turn")}. You sent its turn back, and after it a \`user\` message`,
            }
          : {
              es: `El modelo paró con \`stop_reason\` ${code("pause_turn")}. En lugar de devolverle su turno le enviaste un mensaje de \`user\``,
              en: `The model stopped with \`stop_reason\` ${code("pause_turn")}. Instead of sending its turn back you sent a \`user\` message`,
            },
        found.added.length === 0
          ? { es: " vacío", en: " with nothing in it" }
          : said === ""
            ? ""
            : { es: `: «${said}»`, en: `: "${said}"` },
        {
          es: ". No esperaba que nadie hablara: su turno sigue abierto, y con tu mensaje se cierra a medias. Esperaba el mismo historial con su turno al final, tal cual.",
          en: ". It was not waiting for anyone to speak: its turn is still open, and your message closes it half done. It was waiting for the same history with its turn at the end, as it is.",
        },
        apiSaid(reply),
      ]),
      next: {
        es: "Escribe en orden los mensajes que salen después de la pausa: ¿de quién es el último, y de quién es el turno?",
        en: "Write down in order the messages that go out after the pause: whose is the last, and whose turn is it?",
      },
    };
  },
};

interface SpokenInto {
  exchange: Exchange;
  /** Whether the paused turn was sent back at all. */
  held: boolean;
  added: Block[];
}

/**
 * The request that went on with the first paused turn of a run by a new message. Only with the first: a loop that has sent a
 * paused turn back as it was may still close a later one with a word of its own, when it has had enough of them.
 */
function spokenInto({ trace, scenario }: Run): SpokenInto | null {
  const reply = paused(trace)[0];
  const before = exchanges(trace).find(({ request }) => request.seq === reply?.request)?.request;
  if (reply === undefined || before === undefined) return null;
  for (const exchange of exchanges(trace)) {
    const { request } = exchange;
    if (request.seq < reply.seq) continue;
    const place = placeOf(scenario, request, reply);
    if (place !== -1) {
      const after = request.history.slice(place + 1);
      return after.length > 0 ? { exchange, held: true, added: after.flatMap(({ content }) => content) } : null;
    }
    const added = addedTo(before, request);
    if (added !== null) return added.length > 0 ? { exchange, held: false, added } : null;
  }
  return null;
}

/** What a request's last message has beyond an older request's, when all before it is the same; null where it is not. */
function addedTo(before: RequestEvent, request: RequestEvent): Block[] | null {
  const blocks = ({ history }: RequestEvent) =>
    history.flatMap(({ role, content }) => content.map((block) => ({ block, key: `${role} ${toJson(block)}` })));
  const old = blocks(before);
  const now = blocks(request);
  if (old.some(({ key }, index) => now[index]?.key !== key)) return null;
  return now.slice(old.length).map(({ block }) => block);
}

export default diagnosis;
