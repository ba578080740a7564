import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { delivered } from "./find/calls.ts";
import { type Lap, lapsOf, toldOfRepeat } from "./find/repeats.ts";
import { exchanges } from "./find/requests.ts";
import { code, json, names } from "./words/words.ts";

/** Replies within which a loop should notice, where the exercise names no cap: longer is no matter of noticing. */
const PATIENCE = 12;

const diagnosis: Diagnosis = {
  id: "no-progress-not-detected",
  rank: 228,
  weight: "fault",
  exercise: "4.2",
  // The cap is there for what nobody foresaw. Here there was something to see, long before.
  explains: ["no-iteration-cap", "off-by-one-cap"],
  detect(run) {
    const limit = run.cap ?? PATIENCE;
    const replies = delivered(run.trace).length;
    if (!run.scenario.stuck || replies < limit || toldOfRepeat(run.trace, limit - 1)) return null;
    const stale = lapsOf(run.trace).filter((lap) => lap.stale);
    const last = stale.at(-1);
    if (last === undefined) return null;
    const parked = run.outcome === "looped";
    return {
      turn: last.reply.turn,
      at: exchanges(run.trace).at(-1)?.request.at ?? null,
      headline: {
        es: "El modelo repitió lo mismo una y otra vez, y tu bucle no lo notó",
        en: "The model did the same thing over and over, and your loop did not notice",
      },
      detail: detail(run, stale, last, parked),
      next: {
        es: "¿Qué tendría que recordar tu bucle de una vuelta a otra para ver que ya pasó por aquí?",
        en: "What would your loop have to remember from one lap to the next to see that it has been here before?",
      },
    };
  },
};

function detail(run: Run, stale: readonly Lap[], last: Lap, parked: boolean): Text {
  const replies = delivered(run.trace).length;
  const different = [...new Set(stale.map(({ key }) => key))].length;
  const call = last.calls[0];
  const ends: Text = parked
    ? { es: "hasta que lo detuvimos", en: "until we stopped it" }
    : { es: "hasta que algo que no mira esto lo paró", en: "until something that does not look at this ended it" };
  const what: Text =
    different > 1
      ? {
          es: `las mismas llamadas por turnos, a ${names(stale.flatMap(({ calls }) => calls.map(({ name }) => name))).es}`,
          en: `the same calls by turns, of ${names(stale.flatMap(({ calls }) => calls.map(({ name }) => name))).en}`,
        }
      : {
          es: `${code(call?.name)} con ${json(call?.input)}`,
          en: `${code(call?.name)} with ${json(call?.input)}`,
        };
  return {
    es: `De las ${replies} respuestas del modelo, ${stale.length} pidieron algo que ya se había pedido, y de ahí salió lo mismo que antes: ${what.es}. Tu bucle lo ejecutó todo y siguió ${ends.es}. El modelo esperaba algo nuevo con lo que decidir; sin que nadie le diga que se repite, va a pedirlo otra vez.`,
    en: `Of the model's ${replies} replies, ${stale.length} asked for something that had been asked for already, and the same came of it as before: ${what.en}. Your loop ran it all and went on ${ends.en}. The model was waiting for something new to decide on; unless somebody tells it that it repeats itself, it will ask once more.`,
  };
}

export default diagnosis;
