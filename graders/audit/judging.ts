/** What behaviours ask of a run, in the words they answer with. */
import { askedBy, delivered, keyOfCall, ran } from "../diagnoses/find/calls.ts";
import { exchanges } from "../diagnoses/find/requests.ts";
import { apiSaid, code } from "../diagnoses/words/words.ts";
import type { JudgedRun } from "../grading/spec.ts";
import { isToolResult, isToolUse, type ToolResultBlock } from "../trace/api.ts";
import type { RequestEvent } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import { type Answered, repliesOf, requestsOf, toolCallsOf } from "../trace/reading.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import type { Behaviour, Seen, Verdict } from "./behaviour.ts";
import { howItEnded } from "./endings.ts";
import { capIn, overCap } from "./own-cap.ts";
import type { BehaviourStatus, Severity } from "./report.ts";
import { isAccidental, textOf } from "./result-words.ts";

export { type Answered, repliesOf, requestsOf, toolCallsOf };

type More = Omit<Verdict, "status" | "message">;

export function verdict(status: BehaviourStatus, message: Text, more: More = {}): Verdict {
  return { status, message, ...more };
}

export const holds = (message: Text): Verdict => verdict("holds", message);
/** A failure told in the behaviour's own words: no finding stands for it unless `more` names one. */
export const fails = (message: Text, more: More = {}): Verdict =>
  verdict("fails", message, { diagnosis: null, ...more });
export const notObservable = (message: Text, more: More = {}): Verdict => verdict("not-observable", message, more);
export const notApplicable = (message: Text): Verdict => verdict("not-applicable", message);

/** Diagnoses of how a run may end on the turn in question: no mistake that another row is about. */
export const ENDINGS: readonly string[] = [
  "stopped-early",
  "preamble-as-answer",
  "answer-not-returned",
  "threw",
  "uncaught",
  "never-settles",
];

/** A count and its noun. */
export function plural(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** Each language with its own. */
export function say(write: (lang: keyof Text) => string): Text {
  return { es: write("es"), en: write("en") };
}

/**
 * The first run in which a diagnosis found a fault, told in its words; null when none has one.
 * @param only ids of the diagnoses that are the behaviour's matter; left out: any
 */
export function faultIn(runs: readonly JudgedRun[], only: readonly string[] | null = null, more: More = {}) {
  for (const [run, { findings }] of runs.entries()) {
    const fault = findings.find(({ id, weight }) => weight === "fault" && (only === null || only.includes(id)));
    if (fault === undefined) continue;
    const message = say((lang) => `${fault.headline[lang]}. ${firstSentence(fault.detail[lang])}`);
    return verdict("fails", message, { run, diagnosis: fault.id, ...more });
  }
  return null;
}

/** The id of a diagnosis that a run has, be it advice; else null. */
function foundIn({ findings }: JudgedRun, id: string): string | null {
  return findings.some((finding) => finding.id === id) ? id : null;
}

/** What a diagnosis found in a run and is no fault by itself, told in its words; null where it found nothing. */
export function adviceIn({ findings }: JudgedRun, only: string): Verdict | null {
  const found = findings.find(({ id }) => id === only);
  if (found === undefined) return null;
  const message = say((lang) => `${found.headline[lang]}. ${firstSentence(found.detail[lang])}`);
  return verdict("fails", message, { diagnosis: only, severity: "advice" });
}

/** Of several sentences the first: what the loop did. What is quoted ends none. */
export function firstSentence(text: string): string {
  const quoteless = text.replace(/«[^»]*»|"[^"]*"|`[^`]*`/g, (quote) => "x".repeat(quote.length));
  const end = /[.?!]\s+(?=[A-ZÁÉÍÓÚÑ¿¡«"x])/.exec(quoteless);
  return end === null ? text : text.slice(0, end.index + 1);
}

/** Mistakes in what is run that no conversation excuses, whatever its row is about. */
const ACTIONS = ["tool-run-twice", "wrong-tool-input"];

/** Losses that show in long conversations alone: which row has one long enough depends on the loop. */
const LOSSES = ["history-cut-short"];

/**
 * A behaviour's verdict; a failure all the same where its runs show what no conversation excuses: a request that the API
 * rejects, an action that was not asked for or once too often, the question gone, the process shut down.
 */
export function judged(behaviour: Behaviour, runs: readonly JudgedRun[], seen: Seen): Verdict {
  const verdict = verdictOf(behaviour, runs, seen);
  return isAsBefore(verdict, seen) ? { ...verdict, message: AS_BEFORE } : verdict;
}

/** Whether what kept a row from being seen is what went wrong in the plainest conversation, told in the first row. */
function isAsBefore({ status, message }: Verdict, { plain }: Seen): boolean {
  if (status !== "not-observable" || plain === null || gotToTheEnd(plain)) return false;
  const masked = ({ en }: Text) => en.replace(/\w+_\w{8,}|#\w{6}|\d+/g, "…");
  return masked(message) === masked(unseen(plain).message);
}

const AS_BEFORE: Text = {
  es: "No se llegó a ver: pasó lo mismo que en la primera fila.",
  en: "It could not be seen: the same happened as in the first row.",
};

function verdictOf(behaviour: Behaviour, runs: readonly JudgedRun[], seen: Seen): Verdict {
  const own = behaviour.judge(runs, seen);
  if (own.status === "not-applicable") return own;
  const rejected = rejectedIn(runs);
  const known = knownBy(seen);
  if (rejected !== null && outweighs(rejected, own, behaviour, known)) return rejected;
  const short = own.status === "holds" ? null : overCap(runs[own.run ?? 0], capIn(seen.endless), own.run ?? 0);
  if (short !== null) return short;
  if (own.status === "fails") return own;
  const news = [...(isWatched(seen) ? ACTIONS : []), ...LOSSES].filter((id) => !known.has(id));
  // What shuts the process down keeps a row from being seen: each place that does is one of its own.
  if (own.status === "not-observable" ? seen.plain?.kind !== "exited" : !known.has("exited")) news.push("exited");
  const found = faultIn(runs, news, { severity: "harms" });
  return found === null ? own : seenIn(found, runs);
}

/** The diagnoses that are another row's matter: told by one before, or shown by the plainest conversation. */
function knownBy({ told, plain }: Seen): ReadonlySet<string | null> {
  const plainly = plain?.findings.map(({ id }) => id) ?? [];
  return new Set([...told, ...plainly, ...(plain && plain.counts.rejected > 0 ? [null] : [])]);
}

/** Whether a rejection is what a row should tell: of a failure only where that is no more than a consequence or a detail. */
function outweighs(rejected: Verdict, own: Verdict, behaviour: Behaviour, known: ReadonlySet<string | null>): boolean {
  if (own.mild) return false;
  if (own.status === "holds") return true;
  if (own.status === "not-observable") return !known.has(rejected.diagnosis ?? null);
  const severity = own.severity ?? behaviour.severity;
  return severity === "advice" || (severity === "harms" && own.diagnosis === null && rejected.diagnosis !== null);
}

/** The first request that the API rejected, as a failure, told by its diagnosis where it has one. No script asks for one. */
function rejectedIn(runs: readonly JudgedRun[]): Verdict | null {
  for (const [index, run] of runs.entries()) {
    const rejected = rejectedAfter(run, null, index);
    if (rejected === null) continue;
    const told = rejected.diagnosis ? faultIn([run], [rejected.diagnosis], { severity: "breaks", run: index }) : null;
    return told === null ? rejected : seenIn(told, runs);
  }
  return null;
}

/** The fault that tells of what the API said of a request; null where none does. */
function causeOf(run: JudgedRun, said: Text): string | null {
  const found = run.findings.find(({ id, weight, detail }) => {
    return weight === "fault" && id !== "threw" && detail.en.includes(said.en);
  });
  return found?.id ?? null;
}

/** A verdict on what the row is not about, with the conversation that shows it. */
function seenIn(verdict: Verdict, runs: readonly JudgedRun[]): Verdict {
  const title = runs[verdict.run ?? 0]?.scenario.title;
  if (title === undefined) return verdict;
  return {
    ...verdict,
    message: {
      es: `${ended(verdict.message.es)} Se vio en la conversación «${title.es}».`,
      en: `${ended(verdict.message.en)} Seen in the conversation "${title.en}".`,
    },
  };
}

/** A text that ends as a sentence does. */
function ended(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

/** The first reply with a stop reason; null when it was never given. */
export function stoppedBy(run: JudgedRun | undefined, reason: string): Answered | null {
  return run ? (repliesOf(run).find(({ message }) => message.stop_reason === reason) ?? null) : null;
}

/** The requests sent after an event. */
export function requestsAfter(run: JudgedRun, { seq }: { seq: number }): RequestEvent[] {
  return requestsOf(run).filter((request) => request.seq > seq);
}

/** The first request after an event that the API rejected, as a failure, with what tells of it; null when there is none. */
export function rejectedAfter(run: JudgedRun, event: { seq: number } | null, index = 0): Verdict | null {
  const found = exchanges(run.trace).find(
    ({ request, reply }) => reply?.kind === "rejection" && request.seq > (event?.seq ?? -1),
  );
  if (found === undefined) return null;
  const said = apiSaid(found.reply);
  const place = exchanges(run.trace).indexOf(found) + 1;
  const { title } = run.scenario;
  return fails(
    {
      es: `En la conversación «${title.es}» la API rechazó la petición ${place}.${said.es}`,
      en: `In the conversation "${title.en}" the API rejected request ${place}.${said.en}`,
    },
    { severity: "breaks", run: index, diagnosis: causeOf(run, said) },
  );
}

/** A call of a reply, and what the next request that holds it answers to it. */
export interface AnsweredCall {
  id: string;
  name: string;
  /** What makes it the same call as another: its name and input. */
  key: string;
  /** Results for it in the message right after the turn; more than one is one too many. */
  results: ToolResultBlock[];
}

/** How a turn with calls was answered: by the first later request that holds one of them; null when none does. */
export function answersTo(run: JudgedRun, turn: Answered): { request: RequestEvent; calls: AnsweredCall[] } | null {
  const asked = delivered(run.trace)
    .filter((reply) => reply.seq === turn.seq)
    .flatMap(askedBy);
  for (const request of requestsAfter(run, turn)) {
    const place = request.history.findIndex(
      ({ role, content }) =>
        role === "assistant" && content.some((block) => isToolUse(block) && asked.some(({ id }) => id === block.id)),
    );
    if (place === -1) continue;
    const results = request.history[place + 1]?.content.filter(isToolResult) ?? [];
    const calls = asked.map(({ id, name, key }) => ({
      id,
      name,
      key,
      results: results.filter((result) => result.tool_use_id === id),
    }));
    return { request, calls };
  }
  return null;
}

/** Whether a request was answered with a Message. */
export function wasTaken(run: JudgedRun, { seq }: RequestEvent): boolean {
  return repliesOf(run).some(({ request }) => request === seq);
}

/** What to say of several calls in a turn where the loop tells the model to make one at a time; null where it does not. */
export function oneAtATime(run: JudgedRun | undefined): Verdict | null {
  const asksFor = (run ? requestsOf(run) : []).some(({ body }) => {
    const choice = isRecord(body) ? body.tool_choice : null;
    return isRecord(choice) && choice.disable_parallel_tool_use === true;
  });
  if (!asksFor) return null;
  return notApplicable({
    es: "El bucle pide las llamadas de una en una (`disable_parallel_tool_use`).",
    en: "The loop asks for calls one at a time (`disable_parallel_tool_use`).",
  });
}

/** Whether the conversation got to the script's last reply, and the loop then returned. */
export function gotToTheEnd(run: JudgedRun | undefined): boolean {
  return run?.outcome === "returned" && repliesOf(run).at(-1)?.final === true;
}

/**
 * What a behaviour is about never came up, for a reason that is another row's matter.
 * @param index of the run among its runs
 */
export function unseen(run: JudgedRun | undefined, index = 0): Verdict {
  const fault = run?.findings.find(({ weight }) => weight === "fault");
  const ending = endingOf(run);
  return notObservable(
    // Of an error that nothing explains, its own words say more.
    fault && fault.id !== "threw"
      ? say(
          (lang) =>
            `${lang === "es" ? "No se llegó a ver" : "It could not be seen"}: ${lowered(fault.headline[lang])}.`,
        )
      : { es: `No se llegó a ver: el bucle ${ending.es}.`, en: `It could not be seen: the loop ${ending.en}.` },
    { run: index },
  );
}

/**
 * What keeps a row about calls from being seen, where tools are watched and none was run: the loop ended before it got that
 * far, or answered by itself. Null: one was run, or they run where nobody watches.
 * @param index of the run among its runs
 */
export function noToolRan(run: JudgedRun, seen: Seen, index = 0): Verdict | null {
  if (!isWatched(seen) || toolCallsOf(run).length > 0) return null;
  const calls = repliesOf(run).flatMap((turn) => answersTo(run, turn)?.calls ?? []);
  return answeredByItself(run, seen, calls, index) ?? unseen(run, index);
}

/** The same of single calls: that one of them was answered though it was not run. Null: each that was answered had been run. */
export function answeredByItself(
  run: JudgedRun,
  seen: Seen,
  calls: readonly AnsweredCall[],
  index = 0,
): Verdict | null {
  const answered = isWatched(seen) ? calls.find((call) => call.results.length > 0 && !wasRun(run, call)) : undefined;
  if (answered === undefined) return null;
  const name = code(answered.name);
  const said = code(textOf(answered.results[0]!), 80);
  const none =
    seen.tools === "stubbed"
      ? { es: `no se usó el doble de ${name}`, en: `the stand-in for ${name} was not asked` }
      : { es: `${name} no se ejecutó`, en: `${name} was not run` };
  return notObservable(
    {
      es: `No se llegó a ver: ${none.es}, y el modelo recibió ${said} como resultado.`,
      en: `It could not be seen: ${none.en}, and the model was given ${said} as the result.`,
    },
    { run: index },
  );
}

/** That a result of a call which went well was flagged as an error; null where none was, or how it went is not known. */
export function flaggedThoughWell(run: JudgedRun, seen: Seen): Verdict | null {
  if (!isWatched(seen)) return null;
  const well = ran(run.trace).filter(({ result }) => result?.outcome.kind === "value");
  for (const turn of repliesOf(run)) {
    for (const { id, name, results } of answersTo(run, turn)?.calls ?? []) {
      const sent = results.find(({ is_error }) => is_error === true);
      if (sent === undefined || !well.some(({ call }) => call.answers === id)) continue;
      const diagnosis = foundIn(run, "result-flagged-as-error");
      return (
        trippedOverStandIn(seen, name, sent) ??
        fails(flagged(name, sent), { severity: "harms", next: FLAGGED, diagnosis })
      );
    }
  }
  return null;
}

/** What to ask of a result that is flagged though its tool ran well. */
export const FLAGGED: Text = {
  es: "¿De qué depende en tu código que un resultado lleve `is_error: true`: de que la herramienta haya fallado?",
  en: "What does it hang on in your code that a result has `is_error: true`: on whether the tool failed?",
};

function flagged(name: string, sent: ToolResultBlock): Text {
  const said = code(textOf(sent), 80);
  return {
    es: `${code(name)} se ejecutó bien, y su \`tool_result\` llegó al modelo con \`is_error: true\` (${said}): lo lee como un fallo.`,
    en: `${code(name)} ran well, and its \`tool_result\` reached the model with \`is_error: true\` (${said}): it reads it as a failure.`,
  };
}

/** A loop that expects a shape of its tools' values trips over a stand-in, which gives a text: that is no fault of the loop's. */
export function trippedOverStandIn({ tools }: Seen, name: string, sent: ToolResultBlock): Verdict | null {
  if (tools !== "stubbed" || !isAccidental(sent)) return null;
  return fails(
    say((lang) => `${flagged(name, sent)[lang]} ${A_TEXT[lang]}`),
    { severity: "advice", next: OTHER_TOOLS },
  );
}

const A_TEXT: Text = {
  es: "Un doble devuelve un texto; puede que tu bucle espere otra cosa de esa herramienta.",
  en: "A stand-in gives a text; your loop may expect something else of that tool.",
};
const OTHER_TOOLS: Text = {
  es: "¿Qué hace tu bucle con lo que devuelve una herramienta antes de ponerlo en `content`? Si lo que espera es un objeto, prueba con las tuyas (--allow-tool).",
  en: "What does your loop do with what a tool returns before it goes into `content`? If it expects an object, try with your own (--allow-tool).",
};

/** Whether every tool that is run is known of. */
function isWatched({ tools }: Seen): boolean {
  return tools === "kit" || tools === "stubbed";
}

/** A call whose tool was run with another input was run all the same. */
function wasRun(run: JudgedRun, { id, name, key }: AnsweredCall): boolean {
  return toolCallsOf(run).some(
    (call) => call.answers === id || keyOfCall(call) === key || (call.answers === null && call.name === name),
  );
}

/**
 * Of a row about one kind of call: what keeps it from being seen, where the plainest call was not answered either.
 * Null: it was, or has not been played.
 */
export function neverAnswers({ plain }: Seen): Verdict | null {
  const asked = plain && stoppedBy(plain, "tool_use");
  if (!plain || !asked) return null;
  const answered = answersTo(plain, asked);
  return answered !== null && wasTaken(plain, answered.request) ? null : unseen(plain);
}

/** Whether no tool was run in the plainest conversation: that a call was left alone then says nothing. */
export function neverRuns(seen: Seen): boolean {
  const { plain } = seen;
  if (plain === null) return false;
  return isWatched(seen) ? toolCallsOf(plain).length === 0 : neverAnswers(seen) !== null;
}

/** The first letter small, where it begins a common word. */
function lowered(text: string): string {
  return /^[A-ZÁÉÍÓÚÑ][a-záéíóúñ]*\s/.test(text) && !/^API\b/.test(text)
    ? text[0]!.toLowerCase() + text.slice(1)
    : text;
}

/** How a run ended that did not get to the end, in a few words, to be put after "the loop". */
export function endingOf(run: Run | undefined): Text {
  if (run === undefined) return { es: "no llegó a empezar", en: "never began" };
  if (run.outcome === "returned") {
    const calls = run.counts.callModel;
    return {
      es: `terminó después de ${calls} ${calls === 1 ? "respuesta" : "respuestas"} del modelo`,
      en: `ended after ${calls} ${calls === 1 ? "reply" : "replies"} of the model`,
    };
  }
  return howItEnded(run);
}

const WORST: readonly Severity[] = ["breaks", "harms", "advice"];

/**
 * One verdict of several runs: the worst failure, else what could not be seen, else that all hold.
 * @param message what to say when all hold; left out: what each of them says
 */
export function together(verdicts: readonly Verdict[], message: Text | null = null): Verdict {
  const placed = verdicts.map((each, run) => ({ ...each, run: each.run || run }));
  const failed = placed.filter(({ status }) => status === "fails");
  const rank = ({ severity }: Verdict) => WORST.indexOf(severity ?? "harms");
  const worst = failed.toSorted((a, b) => rank(a) - rank(b))[0];
  const each = say((lang) => [...new Set(verdicts.map((held) => held.message[lang]))].join(" "));
  return worst ?? placed.find(({ status }) => status !== "holds") ?? holds(message ?? each);
}
