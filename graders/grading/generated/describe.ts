/** A generated conversation in a few words: what in it a loop may trip over. */
import type { FileBehaviour, FileReply, ScenarioFile } from "../../model/scenario-file.ts";
import type { Lang, Text } from "../../trace/text.ts";
import { keyOf } from "./conversations.ts";

/**
 * "when one turn asks for two tools": to follow "your loop fails", in both languages.
 * Of a conversation that has been shrunk, what is left in it is what matters.
 */
export function describe(file: ScenarioFile): Text {
  const turns = turnsOf(file);
  const most = Math.max(0, ...turns.map(({ calls }) => calls?.length ?? 0));
  const facts = factsOf(file);
  const shape = turns.length === 0 ? NO_CALLS : shapeOf(turns.length, most);
  return { es: join(shape, facts, "es", ["con", "y"]), en: join(shape, facts, "en", ["with", "and"]) };
}

/** What can be said of a conversation beside its turns and calls. */
export function factsOf(file: ScenarioFile): Text[] {
  const turns = turnsOf(file);
  const replies = repliesOf(file);
  return FACTS.filter(({ holds }) => holds(turns, replies)).map(({ text }) => text);
}

function turnsOf(file: ScenarioFile): FileReply[] {
  return repliesOf(file).filter(({ calls }) => calls !== undefined);
}

function repliesOf({ replies }: ScenarioFile): FileReply[] {
  return replies.filter((reply): reply is FileReply => !("fault" in reply));
}

/** "when …, with one thing, another and a third". */
function join(shape: Text, facts: readonly Text[], lang: Lang, [before, last]: readonly [string, string]): string {
  const all = facts.map((fact) => fact[lang]);
  if (all.length === 0) return shape[lang];
  const list = all.length === 1 ? all[0] : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`;
  return `${shape[lang]}, ${before} ${list}`;
}

const NO_CALLS: Text = { es: "cuando el modelo no pide ninguna herramienta", en: "when the model asks for no tool" };

function shapeOf(turns: number, most: number): Text {
  if (turns === 1 && most === 1) {
    return { es: "cuando un turno pide una herramienta", en: "when one turn asks for one tool" };
  }
  if (turns === 1) {
    return {
      es: `cuando un turno pide ${NUMBERS.es[most]} herramientas`,
      en: `when one turn asks for ${NUMBERS.en[most]} tools`,
    };
  }
  const among =
    most > 1 ? { es: `, hasta ${NUMBERS.es[most]} a la vez`, en: `, up to ${NUMBERS.en[most]} at once` } : null;
  return {
    es: `cuando ${NUMBERS.es[turns]} turnos seguidos piden herramientas${among?.es ?? ""}`,
    en: `when ${NUMBERS.en[turns]} turns in a row ask for tools${among?.en ?? ""}`,
  };
}

const NUMBERS = {
  es: ["cero", "una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho"],
  en: ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"],
};

/** Each tells whether it holds. */
const FACTS: readonly { text: Text; holds(turns: readonly FileReply[], replies: readonly FileReply[]): boolean }[] = [
  {
    text: { es: "la misma llamada dos veces", en: "the same call twice" },
    holds: (turns) => turns.some(({ calls = [] }) => repeats(calls.map(keyOf))),
  },
  {
    text: { es: "la misma herramienta dos veces", en: "the same tool twice" },
    holds: (turns) =>
      turns.some(({ calls = [] }) => repeats(calls.map(({ tool }) => tool)) && !repeats(calls.map(keyOf))),
  },
  {
    text: { es: "la misma llamada otra vez en un turno posterior", en: "the same call again in a later turn" },
    holds: (turns) => repeats(turns.flatMap(({ calls = [] }) => [...new Set(calls.map(keyOf))])),
  },
  {
    text: { es: "una llamada que hay que denegar", en: "one call that must be refused" },
    holds: (turns) => turns.some(({ calls = [] }) => calls.some(({ refuse }) => refuse)),
  },
  {
    text: { es: "una herramienta sin argumentos", en: "a tool without arguments" },
    holds: (turns) => turns.some(({ calls = [] }) => calls.some(({ input }) => Object.keys(input).length === 0)),
  },
  {
    text: { es: "una herramienta que falla", en: "a tool that fails" },
    holds: (turns) => behavioursIn(turns).some((does) => "throws" in does),
  },
  {
    text: { es: "un resultado que no es texto", en: "a result that is not text" },
    holds: (turns) => behavioursIn(turns).some((does) => "returns" in does && isData(does.returns)),
  },
  {
    text: { es: "un resultado muy largo", en: "a very long result" },
    holds: (turns) => behavioursIn(turns).some((does) => JSON.stringify(does).length > 4000),
  },
  {
    text: { es: "razonamiento (`thinking`) antes", en: "`thinking` before it" },
    holds: (_, replies) => replies.some(({ thinking }) => thinking !== undefined),
  },
  {
    text: { es: "texto junto a las llamadas", en: "text beside the calls" },
    holds: (turns) => turns.some(({ text }) => text !== undefined),
  },
];

function repeats(keys: readonly string[]): boolean {
  return new Set(keys).size < keys.length;
}

function behavioursIn(turns: readonly FileReply[]): FileBehaviour[] {
  return turns.flatMap(({ calls = [] }) => calls.flatMap(({ does = [] }) => does));
}

function isData(value: unknown): boolean {
  if (typeof value === "number" || typeof value === "boolean" || Array.isArray(value)) return true;
  return typeof value === "object" && value !== null && !("es" in value && "en" in value);
}
