/**
 * What whoever called an audited loop gets to know of an end that is no proper one: by what it returned, else by what it
 * printed. A production loop may return anything; it has told as soon as anything in there says so.
 */
import { settled } from "../diagnoses/find/answer.ts";
import { delivered, isEnd } from "../diagnoses/find/calls.ts";
import { ACCIDENTS } from "../diagnoses/find/ending.ts";
import { exchanges } from "../diagnoses/find/requests.ts";
import { nonces } from "../diagnoses/find/script.ts";
import { code, json } from "../diagnoses/words/words.ts";
import type { JudgedRun } from "../grading/spec.ts";
import { isText } from "../trace/api.ts";
import { isRecord } from "../trace/json.ts";
import type { Text } from "../trace/text.ts";
import type { Verdict } from "./behaviour.ts";
import { thrownSaid } from "./endings.ts";
import {
  type Answered,
  endingOf,
  fails,
  faultIn,
  holds,
  notObservable,
  rejectedAfter,
  say,
  unseen,
} from "./judging.ts";
import type { Severity } from "./report.ts";

/** What reached the caller. `nowhere`: the loop returned without a value and printed nothing, as one with callbacks does. */
export type Handed = { from: "returned" | "printed"; value: unknown } | { from: "nowhere"; value: null };

export function handedBack(run: JudgedRun): Handed {
  const value = settled(run.trace)?.value ?? null;
  if (!isVoid(value)) return { from: "returned", value };
  const printed = [...run.printed.head, ...run.printed.tail];
  return printed.some((line) => line.trim() !== "")
    ? { from: "printed", value: printed }
    : { from: "nowhere", value: null };
}

/** No value, or a generator that gave none. */
function isVoid(value: unknown): boolean {
  if (!isRecord(value)) return value === null || value === undefined;
  const { yielded, returned, ...rest } = value;
  return Array.isArray(yielded) && yielded.length === 0 && returned === null && Object.keys(rest).length === 0;
}

interface Leaf {
  /** The names on the way to it; places in lists left out, so that the pieces of one text have the same. */
  path: string;
  key: string;
  value: unknown;
}

function leavesOf(value: unknown, path = "", key = ""): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, `${path}[]`, key));
  if (!isRecord(value)) return [{ path, key, value }];
  return Object.entries(value).flatMap(([name, item]) => leavesOf(item, `${path}.${name}`, name));
}

/** Every text in a value, and the pieces of a text put together. */
function textsIn(value: unknown): string[] {
  const texts = leavesOf(value).flatMap((leaf) => (typeof leaf.value === "string" ? [[leaf.path, leaf.value]] : []));
  const whole = new Map<string, string>();
  for (const [path = "", text = ""] of texts) whole.set(path, (whole.get(path) ?? "") + text);
  return [...texts.map(([, text = ""]) => text), ...whole.values()];
}

/** Whether what was handed back holds the words of a reply. */
export function holdsWords(run: JudgedRun, reply: Answered): boolean {
  const marks = nonces(run.scenario, reply).text;
  return textsIn(handedBack(run).value).some((text) => marks.some((mark) => text.includes(mark)));
}

/** Whether it holds a text, whole or in pieces. */
export function holdsText(run: JudgedRun, text: string): boolean {
  return text.trim() !== "" && textsIn(handedBack(run).value).some((each) => each.includes(text.trim()));
}

/** Whether it holds the model's thinking. */
export function holdsThinking(run: JudgedRun, reply: Answered): boolean {
  const marks = nonces(run.scenario, reply).thinking;
  return textsIn(handedBack(run).value).some((text) => marks.some((mark) => text.includes(mark)));
}

/** Words of a text that is no final answer, in the languages of the kit and in those of libraries. */
const WHY =
  /^length$|content[-_ ]?filter|max[-_ ]?(output[-_ ]?)?tokens|max(imum)?[-_ ]?((number )?of[-_ ])?(turn|step|iteration|round|call)|trunc|incomplet|unfinished|inacab|partial|parcial|\bcut\b|cort(ad|ó|e\b)|limit|límite|tope|refus|declin|neg(ó|ad|ativ)|rechaz|denied|paus|context|stop|detuv|interr|broke|gave up|unable|could ?n[o']t|cannot|no (se )?pud|error|fail|falló|fallad|salió mal|went wrong|exce(ed|ption)|too many|demasiad|exhaust|gives? up|abort|expir|\bran out\b|out of (turns|steps|time)|agot|sorry|apolog|lo siento|disculp|try again|int[ée]nt[ae](lo)? (de nuevo|otra vez|más tarde)|unavailable|no (está )?disponible|timed? ?out/i;

/** What is said of an end in which nothing is amiss. */
const PROPER = new Set(["stop", "end_turn", "end", "tool_use", "tool-calls", "tool_calls", "no_error", "none"]);

/** A field that says why a reply or a run ended: whatever it says but a proper end tells. */
const END_REASON = /(finish|stop|end)[-_]?reason$|^reason$/i;

/** A field of an error, or within one: whatever it says tells. */
const ERROR = /\.(error|err|failure)s?(\[\])*(\.|$)/i;

const GOOD_FLAG = /^(is_?)?(ok|success|successful|complete|completed|done|finished)$/i;
const BAD_FLAG = /trunc|incomplet|partial|refus|abort|cut|fail|error|stopp|paus|exceed|limit|interrupt/i;

/** Whether anything that was handed back says that it is no proper answer, and be it one field. */
export function tells(run: JudgedRun): boolean {
  return tellingLeaf(run) !== null;
}

/** What the model said, whole replies and begun ones, text by text. */
function wordsOfModel(run: JudgedRun): string[] {
  return exchanges(run.trace)
    .flatMap(({ reply }) => (reply?.message ?? reply?.broke?.begun)?.content ?? [])
    .filter(isText)
    .map(({ text }) => text.trim())
    .filter((text) => text !== "");
}

/**
 * Whether a text ends in words of the loop's own: whatever they are, they are not the model's. What stood behind earlier
 * words of the model as well, such as a line for each call, says nothing of the end.
 */
export function addsWords(run: JudgedRun): boolean {
  const { value } = handedBack(run);
  if (typeof value !== "string") return false;
  const marked = wordsOfModel(run).reduce((rest, words) => rest.replaceAll(words, "\0"), value);
  const pieces = marked.split("\0").map((piece) => piece.replace(/\{.*?\}|\(.*?\)|[^\p{L}]+/gsu, " ").trim());
  const last = pieces.pop() ?? "";
  return last !== "" && !pieces.includes(last);
}

/** What it returned, to be put after "the loop", where that ends in words of its own which do not say that anything is amiss. */
export function ofItsOwn(run: JudgedRun): Text | null {
  if (run.outcome !== "returned" || tells(run) || !addsWords(run)) return null;
  const said = code(handedBack(run).value, 90);
  return { es: `devolvió un texto suyo: ${said}`, en: `returned a text of its own: ${said}` };
}

function tellingLeaf(run: JudgedRun): Leaf | null {
  const words = [...wordsOfModel(run), run.scenario.userInput];
  const telling = leavesOf(handedBack(run).value).filter(({ path, key, value }) => {
    if (value === false) return GOOD_FLAG.test(key);
    if (value === true) return BAD_FLAG.test(key);
    if (typeof value !== "string" || value.trim() === "" || PROPER.has(value.trim())) return false;
    if (END_REASON.test(key) || ERROR.test(path)) return true;
    return WHY.test(words.reduce((rest, each) => rest.replaceAll(each, ""), value));
  });
  return telling.find(({ key }) => REASON.test(key)) ?? telling[0] ?? null;
}

/** Under what name an end is told. */
const REASON = /reason|status|stopped|error/i;

/**
 * How a loop came away from a reply that was no proper end.
 * `whole`: the conversation went on to its end. `threw`; `accident`: the language itself threw. `told`: it handed back
 * something that says so, or nothing of that reply. `as-answer`: words of the reply, and nothing that says what they are.
 * `empty`: a value with nothing in it. `nowhere`: no value. `unfinished`: it did not come to an end of its own.
 */
export type WayOut = "whole" | "threw" | "accident" | "told" | "as-answer" | "empty" | "nowhere" | "unfinished";

/** @param held whether what it handed back holds words of that reply */
export function wayOut(run: JudgedRun, held: boolean): WayOut {
  if (run.outcome === "threw") return isAccident(run) ? "accident" : "threw";
  if (run.outcome !== "returned") return "unfinished";
  if (delivered(run.trace).some(isEnd)) return "whole";
  const handed = handedBack(run);
  if (handed.from === "nowhere") return "nowhere";
  if (tells(run)) return "told";
  if (held) return "as-answer";
  return textsIn(handed.value).every((text) => text.trim() === "") ? "empty" : "told";
}

/** Whether what a loop threw is an error that the language throws, and no loop on purpose. */
export function isAccident({ error }: JudgedRun): boolean {
  if (error === null) return false;
  return (
    ACCIDENTS.includes(error.name) || /^(Uncaught )?(Type|Reference|Syntax|Range)Error\b/.test(error.message.trim())
  );
}

/** Whether anything that was handed back says that a call was still open. */
export function showsOpenCall(run: JudgedRun): boolean {
  return leavesOf(handedBack(run).value).some(
    ({ value }) => typeof value === "string" && /^tool[-_]?(use|calls?)$/i.test(value.trim()),
  );
}

/** What the loop did at its end, to be put after "the loop". */
export function didAtTheEnd(run: JudgedRun): Text {
  if (run.outcome === "threw" && run.error !== null) {
    const said = thrownSaid(run.error, 160);
    return { es: `lanzó ${said.es}`, en: `threw ${said.en}` };
  }
  if (run.outcome !== "returned") return endingOf(run);
  const { from, value } = handedBack(run);
  if (from === "nowhere") return { es: "no devolvió ni imprimió nada", en: "returned nothing and printed nothing" };
  if (from === "returned") {
    const telling = tellingLeaf(run) ?? leavesOf(value).find(({ key, value: end }) => REASON.test(key) && end !== null);
    if (telling !== undefined && telling.key !== "") {
      const field = `${code(telling.key)}: ${json(telling.value, 60)}`;
      return { es: `devolvió un valor con ${field}`, en: `returned a value with ${field}` };
    }
    const what = typeof value === "string" ? code(value || '""', 90) : json(value, 120);
    return { es: `devolvió ${what}`, en: `returned ${what}` };
  }
  const line = (value as string[]).findLast((each) => each.trim() !== "") ?? "";
  return { es: `imprimió ${code(line, 90)}`, en: `printed ${code(line, 90)}` };
}

/** What a behaviour about one reply says. */
export interface AboutReply {
  /** How that reply came, as the beginning of a sentence: "La respuesta llegó con …". */
  what: Text;
  /** Ids of the diagnoses that are its matter. */
  own: readonly string[];
  /** Of its words handed back as if they were the answer, to be put after the sentence that says so. */
  asAnswer: Text;
  /** Where the conversation went on to its end. */
  whole(): Verdict;
  /** Of an error that the language threw; `advice` when left out: the caller learns that something went wrong. */
  accident?: Severity;
}

/**
 * Judges how a loop came away from a reply that was no proper end.
 * @param reply null when it was never given
 */
export function judgeReply(run: JudgedRun | undefined, reply: Answered | null, about: AboutReply): Verdict {
  return run === undefined || reply === null ? unseen(run) : judgeAfter(run, reply, holdsWords(run, reply), about);
}

/**
 * The same for an end that need not be a reply.
 * @param event what the loop had to come away from
 * @param held whether what it handed back holds words of it
 */
export function judgeAfter(run: JudgedRun, event: { seq: number }, held: boolean, about: AboutReply): Verdict {
  const { what, own, asAnswer } = about;
  const known = faultIn([run], own) ?? rejectedAfter(run, event);
  if (known !== null) return known;
  const did = didAtTheEnd(run);
  const both = say((lang) => `${what[lang]}${lang === "es" ? ", y el bucle" : ", and the loop"} ${did[lang]}.`);
  switch (wayOut(run, held)) {
    case "whole":
      return about.whole();
    case "threw":
    case "told":
      return holds(both);
    case "accident":
      return fails(both, { severity: about.accident ?? "advice" });
    case "as-answer":
      return fails(
        say((lang) => `${both[lang]} ${asAnswer[lang]}`),
        { severity: "harms" },
      );
    case "empty":
      return fails(
        say((lang) => `${both[lang]} ${NOTHING_SAID[lang]}`),
        { severity: "advice" },
      );
    case "nowhere":
      return notObservable(say((lang) => `${both[lang]} ${NOWHERE[lang]}`));
    case "unfinished":
      return run.outcome === "blocked" ? unseen(run) : (faultIn([run]) ?? fails(both));
  }
}

/** Of a loop that lets the model go on after a cut, and loses a part of what it said. */
export const BOTH_HALVES: Text = {
  es: "¿Dónde guarda tu bucle lo que el modelo dijo antes del corte, y dónde lo une con lo que siguió?",
  en: "Where does your loop keep what the model said before the cut, and where does it join that to what followed?",
};

export const NOTHING_SAID: Text = {
  es: "Quien lo llamó no se entera de por qué no hay respuesta.",
  en: "Whoever called it does not learn why there is no answer.",
};

export const NOWHERE: Text = {
  es: "Por dónde se entera quien lo llamó no se puede ver desde aquí.",
  en: "How whoever called it gets to know cannot be seen from here.",
};
