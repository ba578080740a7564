/** How a loop comes to its end when the model does not simply answer: reply cut, declined or paused, tool failed, cap reached. */
import { type Alike, alikeIn } from "../../diagnoses/find/alike.ts";
import { isNothing } from "../../diagnoses/find/answer.ts";
import { ACCIDENTS } from "../../diagnoses/find/ending.ts";
import { givenBack } from "../../diagnoses/find/given-back.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { type Block, isText, isToolUse, type ReplyBlock, type StopReason } from "../../trace/api.ts";
import type { Text } from "../../trace/text.ts";
import { type Evidence, hasText } from "./checks.ts";
import {
  type Answered,
  answeredRequestsOf,
  answerTo,
  callsIn,
  inventedIn,
  repliesOf,
  requestsOf,
  resultsIn,
  returnedBy,
  sentMessages,
  toolCallsOf,
  toolResultsOf,
  turnsOf,
} from "./reading.ts";

/**
 * A conversation without end was ended by the loop itself, after some laps and at most `cap` requests that offer tools. One
 * more without tools, for a last word of the model's, is a soft landing and within the cap.
 */
export function gaveUpWithin(cap: number): Evidence {
  return (run) => {
    if (run.scenario.endlessFrom === null) return HAS_AN_END;
    const fell = fellOver(run);
    if (fell !== null) return fell;
    const requests = answeredRequestsOf(run);
    const landed = requests.length > 1 && requests.at(-1)?.tools.length === 0;
    const asked = requests.length - (landed ? 1 : 0);
    if (asked > cap) return overTheCap(asked, cap);
    const laps = turnsOf(run).filter(({ reply }) => answerTo(run, reply) !== null).length;
    return laps < Math.min(2, cap - 1) ? NO_LAPS : null;
  };
}

/**
 * Whoever called runAgent is told why it ended: by an error with words of its own, or by a value that is more than nothing and
 * more than text of an unfinished reply.
 */
export const saysWhy: Evidence = (run) => {
  const fell = fellOver(run);
  if (fell !== null) return fell;
  if (run.outcome === "threw") return run.error?.message.trim() ? null : SAYS_NOTHING;
  const said = lastWord(run);
  if (isNothing(said)) return SAYS_NOTHING;
  return passesOff(run, said) ? ONLY_UNFINISHED_TEXT : null;
};

/**
 * The loop ended by itself at a reply with this `stop_reason`, asked nothing more, and did not hand over the text of an
 * unfinished reply as if it were the answer.
 */
export function endedAt(reason: StopReason): Evidence {
  return (run) => {
    const replies = repliesOf(run);
    if (!replies.some(({ message }) => message.stop_reason === reason)) return neverReached(reason);
    if (replies.at(-1)?.message.stop_reason !== reason) return wentOn(reason);
    const fell = fellOver(run);
    if (fell !== null) return fell;
    return run.outcome === "returned" && passesOff(run, lastWord(run)) ? ONLY_UNFINISHED_TEXT : null;
  };
}

/** Replies with this `stop_reason` held calls, none of them was run, and the loop went on or ended by itself. */
export function didNotRun(reason: StopReason): Evidence {
  return (run) => {
    const replies = repliesOf(run);
    const unfinished = replies.filter((reply) => reply.message.stop_reason === reason && callsIn(reply).length > 0);
    if (unfinished.length === 0) return neverReached(reason);
    for (const reply of unfinished) {
      const next = replies.find(({ seq }) => seq > reply.seq);
      // By time, not by id: the same call may come again in the next reply, whole.
      const ran = toolCallsOf(run).find(({ seq }) => seq > reply.seq && seq < (next?.seq ?? Number.POSITIVE_INFINITY));
      if (ran !== undefined) return ranUnfinished(ran.name, reason);
      if (next === undefined) {
        const fell = fellOver(run);
        if (fell !== null) return fell;
      }
    }
    return null;
  };
}

/** Every paused turn went back as it came, as the last thing in the history, and the model went on from there. */
export const continuedPausedTurn: Evidence = (run) => {
  const paused = repliesOf(run).filter(({ message }) => message.stop_reason === "pause_turn");
  if (paused.length === 0) return neverReached("pause_turn");
  // A turn that is paused again and again is given up at some time: what comes back last is not continued then.
  const last = run.scenario.endlessFrom === null ? null : repliesOf(run).at(-1);
  const toContinue = paused.filter((reply) => reply !== last);
  if (toContinue.length === 0) return NOT_CONTINUED;
  for (const reply of toContinue) {
    const request = answeredRequestsOf(run).find(({ seq }) => seq > reply.seq);
    if (request === undefined) return NOT_CONTINUED;
    const turn = request.history.at(-1);
    if (turn?.role !== "assistant") return holdsAny(request.history, reply) ? PAUSE_NOT_LAST : PAUSE_LOST;
    const sent = turn.content.slice(-reply.message.content.length);
    if (!reply.message.content.every((block, index) => isSameBlock(block, sent[index]))) return PAUSE_LOST;
  }
  return null;
};

/**
 * Tools failed, or did not exist, and the model was told: a result of that very call, marked `is_error`, with something to
 * read in it. A failed call that was tried again and went well counts as mended.
 */
export const toldOfToolError: Evidence = (run) => {
  const failing = turnsOf(run).flatMap(({ reply }) => {
    const invented = inventedIn(run, reply).map(({ id }) => id);
    return alikeIn(run.trace, reply)
      .map((group) => ({ reply, calls: group.calls, bad: invented.includes(group.calls[0].id) ? 1 : failedIn(group) }))
      .filter(({ bad }) => bad !== null);
  });
  if (failing.length === 0) return NOTHING_FAILED;
  for (const { reply, calls, bad } of failing) {
    const [{ name }] = calls;
    const answer = answerTo(run, reply);
    const ids = new Set(calls.map(({ id }) => id));
    const results = answer === null ? [] : sentMessages(answer).flatMap(resultsIn);
    const own = results.filter(({ tool_use_id }) => ids.has(tool_use_id));
    if (own.length < calls.length) return unanswered(name);
    const flagged = own.filter(({ is_error }) => is_error === true);
    if (flagged.length < (bad ?? 0)) return unflagged(name);
    if (flagged.filter(({ content }) => hasText(content)).length < (bad ?? 0)) return says(name);
  }
  return null;
};

/** The server failed as the script says, and the conversation went on to its last reply all the same. */
export const outlastedFaults: Evidence = (run) => {
  const { scenario } = run;
  const entries = Array.from({ length: scenario.length }, (_, index) => scenario.entry(index));
  const scripted = entries.flatMap((entry, index) => (entry.kind === "fault" ? index : []));
  const met = run.trace.flatMap((event) => (event.type === "reply" && event.kind === "fault" ? event.entry : []));
  if (scripted.length === 0 || !scripted.every((index) => met.includes(index))) return NO_FAULT_MET;
  return repliesOf(run).at(-1)?.final === true ? null : STOPPED_AT_FAULT;
};

/** Why a run cannot be said to have ended by itself; null when it can: it returned, or threw on purpose. */
function fellOver(run: JudgedRun): Text | null {
  if (run.outcome !== "returned" && run.outcome !== "threw") return DID_NOT_END;
  if (repliesOf(run).length === 0) return DID_NOT_END;
  if (run.outcome === "returned") return null;
  const last = requestsOf(run).at(-1);
  const answered = answeredRequestsOf(run).at(-1);
  const accident = ACCIDENTS.includes(run.error?.name ?? "");
  return accident || last !== answered || saysToolError(run) ? FELL_OVER : null;
}

/** Whether the error is a tool's own, let through. */
function saysToolError(run: JudgedRun): boolean {
  const message = run.error?.message ?? "";
  const failed = toolResultsOf(run).at(-1)?.outcome;
  return failed?.kind === "error" && message === failed.message;
}

/** What was handed over in the end: of a generator, what it returned, else what it gave last. */
function lastWord(run: JudgedRun): unknown {
  const value = returnedBy(run);
  if (!isDrained(value)) return value;
  return value.returned ?? value.yielded.at(-1);
}

function isDrained(value: unknown): value is { yielded: unknown[]; returned: unknown } {
  return typeof value === "object" && value !== null && "returned" in value && Array.isArray(Object(value).yielded);
}

/** `stop_reason`s of replies that are no answer: the model was cut short, declined, paused, or is waiting for results. */
const UNFINISHED: readonly StopReason[] = [
  "tool_use",
  "max_tokens",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
  "compaction",
];

/** Whether a value is the text of an unfinished reply and does not say so: whoever gets it takes it for the answer. */
function passesOff(run: JudgedRun, said: unknown): boolean {
  const trace = run.trace.map((event) => (event.type === "settled" ? { ...event, value: said } : event));
  const reply = givenBack({ ...run, trace });
  return reply !== null && UNFINISHED.includes(reply.message.stop_reason);
}

/** How many of the calls failed and were not mended by another try; null when none ever failed. */
function failedIn({ calls, runs }: Alike): number | null {
  const outcomes = runs.map(({ result }) => result?.outcome.kind);
  if (!outcomes.includes("error")) return null;
  return calls.length - Math.min(calls.length, outcomes.filter((kind) => kind === "value").length);
}

function isSameBlock(block: ReplyBlock, sent: Block | undefined): boolean {
  if (sent?.type !== block.type) return false;
  if (isText(block)) return block.text === (sent as { text?: unknown }).text;
  if (isToolUse(block) || block.type === "server_tool_use") return block.id === (sent as { id?: unknown }).id;
  return true;
}

function holdsAny(history: readonly { content: readonly Block[] }[], { message }: Answered): boolean {
  const sent = history.flatMap(({ content }) => content);
  return message.content.some((block) => sent.some((other) => isSameBlock(block, other)));
}

function overTheCap(asked: number, cap: number): Text {
  return {
    es: `el bucle llamó al modelo ${asked} veces con herramientas; el tope es ${cap}.`,
    en: `the loop asked the model ${asked} times with tools on offer; the cap is ${cap}.`,
  };
}

function neverReached(reason: StopReason): Text {
  return {
    es: `la conversación no llegó a la respuesta con \`${reason}\`.`,
    en: `the conversation did not get to the reply with \`${reason}\`.`,
  };
}

function wentOn(reason: StopReason): Text {
  return {
    es: `después de la respuesta con \`${reason}\` el bucle siguió llamando al modelo.`,
    en: `after the reply with \`${reason}\` the loop went on asking the model.`,
  };
}

function ranUnfinished(tool: string, reason: StopReason): Text {
  return {
    es: `se ejecutó \`${tool}\`, que venía en una respuesta con \`${reason}\`.`,
    en: `\`${tool}\` was run; it came in a reply with \`${reason}\`.`,
  };
}

function unanswered(tool: string): Text {
  return {
    es: `\`${tool}\` falló y el modelo no recibió ningún resultado de esa llamada.`,
    en: `\`${tool}\` failed, and the model got no result for that call.`,
  };
}

function unflagged(tool: string): Text {
  return {
    es: `\`${tool}\` falló y su resultado no lleva \`is_error: true\`.`,
    en: `\`${tool}\` failed, and its result does not carry \`is_error: true\`.`,
  };
}

function says(tool: string): Text {
  return {
    es: `\`${tool}\` falló y su resultado llega vacío: el modelo no sabe qué pasó.`,
    en: `\`${tool}\` failed, and its result is empty: the model cannot know what happened.`,
  };
}

const HAS_AN_END: Text = {
  es: "esta conversación termina por sí sola; no hay tope que comprobar.",
  en: "this conversation ends by itself; there is no cap to look at.",
};
const NO_LAPS: Text = {
  es: "el bucle se fue sin haber dado un par de vueltas: eso no es un tope.",
  en: "the loop left before it had gone round a couple of times: that is no cap.",
};
const DID_NOT_END: Text = {
  es: "runAgent no terminó por sí misma.",
  en: "runAgent did not end by itself.",
};
const FELL_OVER: Text = {
  es: "runAgent no decidió terminar: la tumbó un error que no era suyo.",
  en: "runAgent did not decide to end: an error that was not its own brought it down.",
};
const SAYS_NOTHING: Text = {
  es: "runAgent termina sin decir por qué: no devuelve nada que leer.",
  en: "runAgent ends without saying why: it hands back nothing to read.",
};
const ONLY_UNFINISHED_TEXT: Text = {
  es: "runAgent entrega el texto de una respuesta sin terminar como si fuera la respuesta final.",
  en: "runAgent hands over the text of an unfinished reply as if it were the final answer.",
};
const NOT_CONTINUED: Text = {
  es: "el turno quedó en pausa y el bucle no lo continuó.",
  en: "the turn was paused, and the loop did not continue it.",
};
const PAUSE_NOT_LAST: Text = {
  es: "después del turno en pausa se añadió otro mensaje; se devuelve tal cual y nada más.",
  en: "another message was added after the paused turn; it goes back as it is, and nothing else.",
};
const PAUSE_LOST: Text = {
  es: "el turno en pausa no volvió al modelo tal como llegó.",
  en: "the paused turn did not go back to the model as it came.",
};
const NOTHING_FAILED: Text = {
  es: "ninguna herramienta llegó a fallar, así que no se vio qué hace el bucle entonces.",
  en: "no tool got to fail, so what the loop does then was not seen.",
};
const NO_FAULT_MET: Text = {
  es: "el bucle no llegó al fallo del servidor.",
  en: "the loop did not get to the server's failure.",
};
const STOPPED_AT_FAULT: Text = {
  es: "tras el fallo del servidor la conversación no llegó a su última respuesta.",
  en: "after the server's failure the conversation did not get to its last reply.",
};
