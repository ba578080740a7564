/**
 * What criteria demand, in pieces. Each evidence looks at one run and answers null when it finds what it looks for,
 * else the reason. It decides on the trace alone and asks for things that were seen: an empty file shows nothing.
 */
import { alikeIn } from "../../diagnoses/find/alike.ts";
import { keyOf, keyOfCall } from "../../diagnoses/find/calls.ts";
import { flaggedWell } from "../../diagnoses/find/flagged-well.ts";
import { saidTwice } from "../../diagnoses/find/said-twice.ts";
import { lackOfTextAlone } from "../../diagnoses/find/text-alone.ts";
import type { JudgedRun, Work } from "../../grading/spec.ts";
import {
  type Block,
  isText,
  isToolResult,
  isToolUse,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../trace/api.ts";
import type { RequestEvent, ToolCallEvent } from "../../trace/events.ts";
import type { ReplyEntry, Scenario } from "../../trace/scenario.ts";
import type { Text } from "../../trace/text.ts";
import {
  type Answered,
  answeredRequestsOf,
  answerTo,
  asksForTools,
  holds,
  inventedIn,
  lastScripted,
  refusedIn,
  repliesOf,
  resultsIn,
  returnedBy,
  scriptedCalls,
  scriptedReplies,
  scriptedTurns,
  sentMessages,
  toolCallsOf,
  toolResultsOf,
  turnsOf,
} from "./reading.ts";

export type { Run } from "../../trace/run.ts";
export * from "./reading.ts";

/** What one run shows: null when it shows it, else what is missing. */
export type Evidence = (run: JudgedRun) => Text | null;

/**
 * Demands the evidences of every run that `where` picks, and that there is such a run.
 * @returns the first reason found, with the conversation it was found in
 */
export function inEveryRun(work: Work, evidences: readonly Evidence[], where = (_: Scenario) => true): Text | null {
  const runs = work.runs.filter((run) => where(run.scenario));
  if (runs.length === 0) return NOTHING_RAN;
  for (const run of runs) {
    for (const evidence of evidences) {
      const reason = evidence(run);
      if (reason !== null) return inConversation(run.scenario.title, reason);
    }
  }
  return null;
}

/** Demands one of several ways: all evidences of one list. Else says what the way that got furthest lacks. */
export function either(...ways: readonly (readonly Evidence[])[]): Evidence {
  return (run) => {
    let best: { reason: Text; shown: number } = { reason: NOTHING_RAN, shown: -1 };
    for (const evidences of ways) {
      const reasons = evidences.map((evidence) => evidence(run));
      const shown = reasons.findIndex((reason) => reason !== null);
      if (shown === -1) return null;
      if (shown > best.shown) best = { reason: reasons[shown]!, shown };
    }
    return best.reason;
  };
}

/** Runs whose model asks for tools: those in which a loop has something to do. */
export const withTools = asksForTools;

/** Runs in which the host must refuse some call. */
export const withRefusals = (scenario: Scenario): boolean => scriptedCalls(scenario).some(({ refuse }) => refuse);

/** The model was asked as often as the conversation needs, down to its last reply, and runAgent returned. */
export const askedUntilDone: Evidence = (run) => {
  const { expected } = run.scenario;
  if (run.outcome !== "returned") return NOT_RETURNED;
  if (expected === null) return NOT_RETURNED;
  if (run.counts.callModel !== expected.callModel || repliesOf(run).at(-1)?.final !== true) {
    return counted("callModel", run.counts.callModel, expected.callModel);
  }
  return null;
};

/** What runAgent returned holds the text of the last reply, in whatever shape. */
export const handsBackTheEnd: Evidence = (run) => {
  const last = lastScripted(run.scenario);
  const ends = last?.content.some((block) => block.type === "text" && holds(returnedBy(run), block.nonce));
  return ends ? null : NO_FINAL_TEXT;
};

/**
 * What runAgent returned is the text of the last reply, or an object with it: all its blocks of text, in their order; not the
 * Message, and none of its thinking.
 */
export const handsBackTheText: Evidence = (run) => {
  const tokens = (entries: readonly ReplyEntry[], type: "text" | "thinking") =>
    entries.flatMap(({ content }) => content.flatMap((block) => (block.type === type ? block.nonce : [])));
  const all = scriptedReplies(run.scenario);
  const wanted = { texts: tokens(all.slice(-1), "text"), thoughts: tokens(all, "thinking") };
  const lack = lackOfTextAlone(returnedBy(run), wanted);
  return lack === null ? null : LACKS[lack];
};

/**
 * Every call the model made was run, with the input the model wrote, and nothing else was run. Refused calls were not. A call
 * that went well was run once; one that failed may be tried again. Calls of a turn that are alike may share a run, where each is
 * answered with what it gave.
 */
export const ranEveryCall: Evidence = (run) => {
  const ran = withoutRetries(run);
  let shared = 0;
  const turns = turnsOf(run);
  for (const { reply, calls } of turns) {
    const refused = refusedIn(run, reply);
    const made = inventedIn(run, reply);
    for (const call of calls) {
      if (made.includes(call)) continue;
      const times = ran.filter(({ answers }) => answers === call.id).length;
      const mustBe = refused.includes(call) ? 0 : 1;
      if (mustBe === 0 && times > 0) return RAN_REFUSED;
      if (mustBe === 1 && times === 0 && sharesRun(run, reply, call.id)) {
        shared += 1;
        continue;
      }
      if (times !== mustBe) return times === 0 ? notRun(run, call) : ranSoOften(call.name, times);
    }
  }
  const surplus = ran.find(({ answers }) => answers === null);
  if (surplus) {
    const wasAsked = turns.some(({ calls }) =>
      calls.some((call) => keyOf(call.name, call.input) === keyOfCall(surplus)),
    );
    return wasAsked ? ranMoreOften(surplus.name) : RAN_UNASKED;
  }
  if (ran.length + shared !== run.scenario.expected?.executeTool)
    return counted("executeTool", ran.length, run.scenario.expected?.executeTool ?? 0);
  return null;
};

/** Whether a call that was not run is answered with what the run of one like it, in the same turn, gave. */
function sharesRun(run: JudgedRun, reply: Answered, id: string): boolean {
  const answer = answerTo(run, reply);
  const result =
    answer &&
    sentMessages(answer)
      .flatMap(resultsIn)
      .find(({ tool_use_id }) => tool_use_id === id);
  const runs = alikeIn(run.trace, reply).find(({ calls }) => calls.some((call) => call.id === id))?.runs ?? [];
  return runs.some(({ result: gave }) => {
    return gave?.outcome.kind === "value" && gave.outcome.nonce !== null && holds(result?.content, gave.outcome.nonce);
  });
}

/**
 * Every turn's results went back in one user message, before anything else, each call's own result under its own id. Of calls
 * that are alike each may have the other's. What a refused call is answered with is looked at by `toldOfRefusal`.
 */
export const answeredEveryCall: Evidence = (run) => {
  const turns = turnsOf(run);
  if (turns.length !== scriptedTurns(run.scenario)) return NOT_ALL_TURNS;
  for (const { reply, calls } of turns) {
    const answer = answerTo(run, reply);
    if (answer === null) return UNANSWERED;
    const refused = new Set(refusedIn(run, reply).map(({ id }) => id));
    const ids = new Set(calls.map(({ id }) => id).filter((id) => !refused.has(id)));
    if (ids.size === 0) continue;
    const messages = sentMessages(answer).filter((message) =>
      resultsIn(message).some((result) => ids.has(result.tool_use_id)),
    );
    const [message, ...more] = messages;
    if (message === undefined) return UNANSWERED;
    if (more.length > 0) return SPLIT;
    for (const { calls: alike, runs } of alikeIn(run.trace, reply)) {
      const wanted = alike.filter(({ id }) => ids.has(id));
      const results = wanted.map(({ id }) => resultsIn(message).find(({ tool_use_id }) => tool_use_id === id));
      if (results.includes(undefined)) return UNANSWERED;
      const gave = runs.flatMap(({ result }) => (result?.outcome.kind === "value" ? (result.outcome.nonce ?? []) : []));
      const needed = Math.min(wanted.length, gave.length);
      if (heldBy(results, gave) < needed) return wrongResult(alike[0].name);
    }
  }
  return null;
};

/** Every request held the prompt, and every later one all the calls and results so far, and nothing of another conversation. */
export const keptHistory: Evidence = (run) => {
  if (run.findings.some(({ id }) => id === "state-shared-between-runs")) return SHARED_STATE;
  const [opening, ...later] = answeredRequestsOf(run);
  if (opening !== undefined && !startsWithPrompt(run, opening)) return PROMPT_NOT_SENT;
  if (later.length === 0) return NEVER_ASKED_AGAIN;
  if (turnsOf(run).length !== scriptedTurns(run.scenario)) return NOT_ALL_TURNS;
  for (const request of later) {
    if (!startsWithPrompt(run, request)) return PROMPT_LOST;
    const blocks = request.history.flatMap(({ content }) => content);
    for (const { reply, calls } of turnsOf(run)) {
      if (reply.seq > request.seq) continue;
      for (const { id } of calls) {
        const asked = blocks.some((block) => isToolUse(block) && block.id === id);
        const answered = blocks.some((block) => isToolResult(block) && block.tool_use_id === id);
        if (!asked || !answered) return TURN_LOST;
      }
    }
  }
  return null;
};

function startsWithPrompt({ scenario }: JudgedRun, { history: [first] }: RequestEvent): boolean {
  return (
    first?.role === "user" && first.content.some((block) => isText(block) && block.text.includes(scenario.userInput))
  );
}

/** Each reply that asked for tools went back whole and once, as the assistant's turn, in the request with its results. */
export const gaveBackWholeTurns: Evidence = (run) => {
  const turns = turnsOf(run);
  if (turns.length !== scriptedTurns(run.scenario)) return NOT_ALL_TURNS;
  const repeated = saidTwice(run.scenario, run.trace);
  for (const { reply, calls } of turns) {
    const answer = answerTo(run, reply);
    if (answer === null) return UNANSWERED;
    const turn = answer.history.find(
      ({ role, content }) =>
        role === "assistant" && content.some((block) => isToolUse(block) && block.id === calls[0]?.id),
    );
    if (turn === undefined) return TURN_LOST;
    if (repeated(answer) !== null) return SAID_TWICE;
    for (const block of reply.message.content) {
      const kept = turn.content.some((other) => other.type === block.type && identity(other) === identity(block));
      if (!kept) return blockLost(block.type);
    }
  }
  return null;
};

/** Whether one of the calls was run with an input of the loop's own: that is no refusal. */
function ranOtherwise(ran: readonly ToolCallEvent[], calls: readonly ToolUseBlock[]): boolean {
  return ran.some(({ answers, name }) => answers === null && calls.some((call) => call.name === name));
}

/** Calls that the host must refuse arrived, were not run, and the loop asked the model again. */
export const refusedWithoutRunning: Evidence = (run) => {
  const refusals = repliesOf(run)
    .map((reply) => ({ reply, refused: refusedIn(run, reply) }))
    .filter(({ refused }) => refused.length > 0);
  if (refusals.length === 0) return NOT_ALL_TURNS;
  const ran = toolCallsOf(run);
  for (const { reply, refused } of refusals) {
    if (refused.some(({ id }) => ran.some(({ answers }) => answers === id))) return RAN_REFUSED;
    // Nothing was run, but a loop that ends here has not refused: it has fallen over. That is no evidence.
    if (answerTo(run, reply) === null) return ranOtherwise(ran, refused) ? RAN_UNASKED : STOPPED_AT_REFUSAL;
  }
  return null;
};

/**
 * The model was told of each refusal: a result of that very call, marked `is_error`, with a reason in it. By the flag it tells
 * that from what was run and went well, which bears none.
 */
export const toldOfRefusal: Evidence = (run) => {
  const refused = repliesOf(run).flatMap((reply) => refusedIn(run, reply).map((call) => ({ reply, call })));
  if (refused.length === 0) return NOT_ALL_TURNS;
  for (const { reply, call } of refused) {
    if (toolCallsOf(run).some(({ answers }) => answers === call.id)) return RAN_REFUSED;
    const answer = answerTo(run, reply);
    const result =
      answer &&
      sentMessages(answer)
        .flatMap(resultsIn)
        .find(({ tool_use_id }) => tool_use_id === call.id);
    if (!result) return UNANSWERED;
    if (result.is_error !== true) return UNFLAGGED;
    if (!hasText(result.content)) return NO_REASON;
  }
  const [flagged] = flaggedWell(run.trace);
  return flagged === undefined ? null : flaggedThoughWell(flagged.asked.name);
};

/**
 * Demands that the questions with these keys are answered right.
 * Says whether answers are missing or an idea is off; never which answer, nor what would be right.
 */
export function answeredRight(work: Work, keys: readonly string[]): Text | null {
  if (work.quiz === null || work.quiz.missing.length > 0) return UNSEALED;
  const { right } = work.quiz;
  return keys.every((key) => right.includes(key)) ? null : PREDICTION_OFF;
}

/**
 * The tools that were run, without the further tries of calls that had failed. Of calls that are alike, a further try of the
 * one counts as the first of the other while that is open: what is one too many in the end is told by how many failed.
 */
function withoutRetries(run: JudgedRun): ToolCallEvent[] {
  const failed = new Set(toolResultsOf(run).flatMap(({ call, outcome }) => (outcome.kind === "error" ? call : [])));
  const mayTryAgain = new Map<string, number>();
  return toolCallsOf(run).filter((call) => {
    const key = `${call.turn} ${keyOfCall(call)}`;
    const left = mayTryAgain.get(key) ?? 0;
    const isRetry = call.answers === null && left > 0;
    mayTryAgain.set(key, left + (failed.has(call.call) ? 1 : 0) - (isRetry ? 1 : 0));
    return !isRetry;
  });
}

/** How many of the results hold something that a run gave, what each gave only once. */
function heldBy(results: readonly (ToolResultBlock | undefined)[], gave: readonly string[]): number {
  const left = [...gave];
  return results.filter((result) => {
    const place = left.findIndex((nonce) => holds(result?.content, nonce));
    return place !== -1 && left.splice(place, 1).length > 0;
  }).length;
}

/** What tells one block of a type from another. */
function identity(block: Block): unknown {
  if (isToolUse(block)) return block.id;
  if (isText(block)) return block.text;
  const { thinking, data } = block as { thinking?: unknown; data?: unknown };
  return thinking ?? data;
}

/** Whether the content of a tool_result has something to read in it. */
export function hasText(content: unknown): boolean {
  if (typeof content === "string") return content.trim() !== "";
  if (!Array.isArray(content)) return false;
  return content.some((block) => typeof block?.text === "string" && block.text.trim() !== "");
}

function inConversation(title: Text, reason: Text): Text {
  return { es: `En «${title.es}»: ${reason.es}`, en: `In “${title.en}”: ${reason.en}` };
}

function counted(what: "callModel" | "executeTool", got: number, expected: number): Text {
  return {
    es: `se llamó a \`${what}\` ${times(got).es}; la conversación pide ${expected}.`,
    en: `\`${what}\` was called ${times(got).en}; the conversation needs ${expected}.`,
  };
}

function times(count: number): Text {
  if (count === 1) return { es: "1 vez", en: "once" };
  return { es: `${count} veces`, en: `${count} times` };
}

function ranSoOften(tool: string, count: number): Text {
  return {
    es: `una llamada a \`${tool}\` que pidió el modelo se ejecutó ${times(count).es} con sus datos.`,
    en: `one call of \`${tool}\` that the model asked for was run ${times(count).en} with its input.`,
  };
}

function ranMoreOften(tool: string): Text {
  return {
    es: `\`${tool}\` se ejecutó más veces de las que el modelo la pidió.`,
    en: `\`${tool}\` was run more often than the model asked for it.`,
  };
}

/** A call that was not run, not even where the same was: for another call of the run that is like it. */
function notRun(run: JudgedRun, { name, input }: ToolUseBlock): Text {
  const call = `\`${name}\` ${JSON.stringify(input).slice(0, 120)}`;
  if (toolCallsOf(run).some((other) => keyOfCall(other) === keyOf(name, input))) {
    return {
      es: `el modelo pidió ${call} más de una vez, y no se ejecutó cada vez que lo pidió.`,
      en: `the model asked for ${call} more than once, and it was not run each time.`,
    };
  }
  return {
    es: `el modelo pidió ${call}, y con esos datos no se ejecutó.`,
    en: `the model asked for ${call}, and with that input it was not run.`,
  };
}

function wrongResult(tool: string): Text {
  return {
    es: `el resultado de una llamada a \`${tool}\` no contiene lo que devolvió esa llamada.`,
    en: `the result of one call of \`${tool}\` does not hold what that call returned.`,
  };
}

function flaggedThoughWell(tool: string): Text {
  return {
    es: `el resultado de una llamada a \`${tool}\` que salió bien lleva \`is_error: true\`, como una denegada.`,
    en: `the result of a call of \`${tool}\` that went well carries \`is_error: true\`, like a refused one.`,
  };
}

function blockLost(type: string): Text {
  return {
    es: `un bloque \`${type}\` de la respuesta del modelo no volvió al historial tal como llegó.`,
    en: `a \`${type}\` block of the model's reply did not go back into the history as it came.`,
  };
}

const NOTHING_RAN: Text = {
  es: "Ninguna conversación llegó a correr, así que no hay nada que juzgar todavía.",
  en: "No conversation was run, so there is nothing to judge yet.",
};
const SHARED_STATE: Text = {
  es: "algo de otra conversación se quedó en esta.",
  en: "something of another conversation stayed in this one.",
};
const NOT_RETURNED: Text = {
  es: "runAgent no llegó a devolver nada.",
  en: "runAgent did not get to return anything.",
};
const NO_FINAL_TEXT: Text = {
  es: "lo que devuelve runAgent no contiene el texto de la última respuesta del modelo.",
  en: "what runAgent returns does not hold the text of the model's last reply.",
};
const STILL_A_MESSAGE: Text = {
  es: "runAgent devuelve el Message entero; aquí se pide solo el texto final.",
  en: "runAgent returns the whole Message; this exercise asks for the final text alone.",
};
const PART_OF_THE_TEXT: Text = {
  es: "la última respuesta trae varios bloques de texto, y lo que devuelve runAgent no los lleva todos en su orden.",
  en: "the last reply holds several blocks of text, and what runAgent returns does not hold them all in their order.",
};
const THINKING_IN_THE_TEXT: Text = {
  es: "junto al texto final va también el razonamiento del modelo (`thinking`).",
  en: "the model's reasoning (`thinking`) comes along with the final text.",
};
const LACKS = {
  none: NO_FINAL_TEXT,
  message: STILL_A_MESSAGE,
  part: PART_OF_THE_TEXT,
  thinking: THINKING_IN_THE_TEXT,
};
const RAN_UNASKED: Text = {
  es: "se ejecutó una herramienta con datos que el modelo no pidió.",
  en: "a tool was run with an input that the model did not ask for.",
};
const NOT_ALL_TURNS: Text = {
  es: "la conversación no llegó a todos los turnos en que el modelo pide herramientas.",
  en: "the conversation did not reach all of the model's tool requests.",
};
const STOPPED_AT_REFUSAL: Text = {
  es: "no se ejecutó, pero ahí acabó el bucle: denegar es contestar «no», y esa respuesta no llegó al modelo.",
  en: "it was not run, but the loop ended there: refusing is answering “no”, and that answer never reached the model.",
};
const UNANSWERED: Text = {
  es: "un `tool_use` se quedó sin su `tool_result` en la petición siguiente.",
  en: "one `tool_use` got no `tool_result` in the next request.",
};
const SPLIT: Text = {
  es: "los resultados de una misma respuesta viajaron en varios mensajes; van todos en uno solo.",
  en: "the results of one reply travelled in several messages; they all belong in one.",
};
const SAID_TWICE: Text = {
  es: "lo que dijo el modelo en un turno está dos veces en el historial: en su turno y otra vez al lado.",
  en: "what the model said in a turn stands in the history twice: in its turn, and once more beside it.",
};
const NEVER_ASKED_AGAIN: Text = {
  es: "al modelo no le llegó una segunda petición que la API acepte: no hay historial que mirar.",
  en: "no second request that the API accepts reached the model: there is no history to look at.",
};
const PROMPT_NOT_SENT: Text = {
  es: "la primera llamada al modelo no empieza por el mensaje del usuario: nadie le dijo qué se pedía.",
  en: "the first request does not start with the user's message: nobody told the model what was wanted.",
};
const PROMPT_LOST: Text = {
  es: "una llamada posterior al modelo ya no empieza por el mensaje del usuario.",
  en: "a later request no longer starts with the user's message.",
};
const TURN_LOST: Text = {
  es: "una llamada posterior al modelo ya no contiene todo lo que se pidió y se respondió antes.",
  en: "a later request no longer holds all that was asked and answered before.",
};
const RAN_REFUSED: Text = {
  es: "se ejecutó una llamada que debía denegarse.",
  en: "a call that had to be refused was run.",
};
const UNFLAGGED: Text = {
  es: "el resultado de la llamada denegada no lleva `is_error: true`.",
  en: "the result of the refused call does not carry `is_error: true`.",
};
const NO_REASON: Text = {
  es: "el resultado de la llamada denegada no dice por qué se denegó.",
  en: "the result of the refused call does not say why it was refused.",
};
const UNSEALED: Text = {
  es: "Faltan respuestas en answers.json: nada se juzga hasta que estén todas.",
  en: "Some answers are still missing in answers.json: nothing is judged until all are given.",
};
const PREDICTION_OFF: Text = {
  es: "Alguna idea de tu predicción no coincide con lo que pasó al ejecutar el programa.",
  en: "Some idea in your prediction does not match what happened when the program ran.",
};
