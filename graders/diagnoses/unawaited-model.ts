import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { SettledEvent, Spot } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { givesReason, mentions, settled } from "./find/answer.ts";
import { askedBy, type Delivered, delivered, isEnd, namesOf, ran } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { nonces } from "./find/script.ts";
import { isAwaitedThere, type UnawaitedHelper, unawaitedHelper, unawaitedModelCall } from "./point/patterns.ts";
import { code, errorSaid, names, onLine } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "unawaited-model",
  rank: 300,
  weight: "fault",
  exercise: "2.3",
  explains: [
    "stopped-early",
    "answer-not-returned",
    "preamble-as-answer",
    "text-only-history",
    "empty-message-pushed",
    "uncaught",
  ],
  detect(run) {
    const end = settled(run.trace);
    if (end === null) return null;
    return sentTooLate(run, end) ?? readTooEarly(run, end);
  },
};

/** A request went out after the function had settled: nobody can have waited for its reply. */
function sentTooLate(run: Run, end: SettledEvent): Finding | null {
  const all = exchanges(run.trace);
  const late = all.find(({ request }) => request.seq > end.seq);
  if (late === undefined) return null;
  const before = all.filter(({ request }) => request.seq < end.seq);
  // An attempt made again, or one of several made at once of which another failed, is late for a reason of its own.
  if (late.request.attempt > 1 || before.some(({ reply }) => reply !== null && reply.kind !== "message")) return null;
  const last = delivered(run.trace).findLast(({ seq }) => seq < end.seq);
  if (last !== undefined && !(isAccident(end) || (run.scenario.endlessFrom === null && leftHanging(end, last))))
    return null;
  const { at } = late.request;
  const how =
    end.error === null
      ? { es: "terminó sin esperarla", en: "ended without waiting for it" }
      : failed(end.error, {
          es: "leyó algo que aún no tenía y falló",
          en: "read something that was not there yet and failed",
        });
  const turn = last?.turn ?? 0;
  const direct = unawaitedModelCall(run.source, at);
  const helper = direct === null ? unawaitedHelper(run.source, at) : null;
  if (helper !== null) return setOff(turn, helper, at, how);
  if (direct === null && at !== null && isAwaitedThere(run.source, at)) return awaitedInside(turn, at, how);
  const spot = direct ?? at ?? run.at;
  return finding(turn, spot, {
    es: `La petición salió${onLine(spot).es} y, antes de que el modelo contestara, tu función ${how.es}. Sin \`await\`, lo que hay en la variable es una promesa: no tiene \`content\` ni \`stop_reason\`.`,
    en: `The request went out${onLine(spot).en} and, before the model answered, your function ${how.en}. Without \`await\`, what the variable holds is a promise: it has no \`content\` and no \`stop_reason\`.`,
  });
}

/** The request was made by a function that another line sets off and does not wait for. */
function setOff(turn: number, { at, name }: UnawaitedHelper, made: Spot | null, how: Text): Finding {
  const helper = code(name);
  return finding(
    turn,
    at,
    {
      es: `La petición salió de ${helper}${onLine(made).es}, y la línea ${at.line} llama a ${helper} sin esperar a que termine: antes de que el modelo contestara, tu función ${how.es}. Una función \`async\` devuelve una promesa enseguida; lo que le queda por hacer se pierde si nadie la espera.`,
      en: `The request went out from ${helper}${onLine(made).en}, and line ${at.line} calls ${helper} without waiting for it to end: before the model answered, your function ${how.en}. An \`async\` function returns a promise at once; what it has yet to do is lost if nobody waits for it.`,
    },
    {
      es: `¿Qué te da ${helper} en cuanto lo llamas, y quién espera a que termine?`,
      en: `What does ${helper} give you as soon as you call it, and who waits for it to end?`,
    },
  );
}

/** The line of the request does wait for it: what was not waited for is a function around it, and which one is not plain. */
function awaitedInside(turn: number, made: Spot, how: Text): Finding {
  return finding(
    turn,
    null,
    {
      es: `La petición salió${onLine(made).es} y, antes de que el modelo contestara, tu función ${how.es}. Esa línea sí espera la respuesta; lo que nadie espera es la función \`async\` en la que está.`,
      en: `The request went out${onLine(made).en} and, before the model answered, your function ${how.en}. That line does wait for the reply; what nobody waits for is the \`async\` function it stands in.`,
    },
    {
      es: "¿Quién llama a la función en la que está esa línea, y espera a que termine?",
      en: "Who calls the function that line stands in, and does it wait for it to end?",
    },
  );
}

/**
 * The last reply did come, nothing was done with it, and the run ended badly; the source shows that the call which asked for
 * it was not awaited. A condition that reads a promise is simply false, and what is read from one is `undefined`.
 */
function readTooEarly(run: Run, end: SettledEvent): Finding | null {
  const last = delivered(run.trace).at(-1);
  const exchange = exchanges(run.trace).at(-1);
  if (last === undefined || exchange?.reply !== last) return null;
  if (ran(run.trace).some(({ call }) => call.seq > last.seq)) return null;
  const badly = end.how === "threw" ? !gaveUp(run, end) : leftHanging(end, last) || isEndLost(run, end, last);
  if (!badly) return null;
  const spot = unawaitedModelCall(run.source, exchange.request.at);
  if (spot === null) return null;
  const asks = names(namesOf(askedBy(last)));
  const promise = {
    es: `Nadie espera la llamada de la línea ${spot.line}`,
    en: `Nobody waits for the call on line ${spot.line}`,
  };
  if (end.error !== null) {
    const how = failed(end.error, { es: "leyó de ella algo que no hay y falló", en: "read what it lacks and failed" });
    return finding(last.turn, spot, {
      es: `${promise.es}: lo que queda en la variable es una promesa, que no tiene \`content\` ni \`stop_reason\`. Tu función ${how.es}.`,
      en: `${promise.en}: what is left in the variable is a promise, which has no \`content\` and no \`stop_reason\`. Your function ${how.en}.`,
    });
  }
  if (!asksInVain(last)) {
    return finding(last.turn, spot, {
      es: `El modelo dio su respuesta final y tu función devolvió otra cosa. ${promise.es}: lo que queda en la variable es una promesa, que no tiene \`content\`, y de ahí no sale ningún texto.`,
      en: `The model gave its final answer and your function returned something else. ${promise.en}: what is left in the variable is a promise, which has no \`content\`, and no text comes out of it.`,
    });
  }
  return finding(last.turn, spot, {
    es: `El modelo pidió ${asks.es} y tu bucle terminó sin hacer nada. ${promise.es}: lo que lee la condición es una promesa, que no tiene \`stop_reason\`, y así nunca vale \`"tool_use"\`.`,
    en: `The model asked for ${asks.en} and your loop ended without doing anything. ${promise.en}: what the condition reads is a promise, which has no \`stop_reason\`, so it never is \`"tool_use"\`.`,
  });
}

const PROMISE: Text = {
  es: "¿Qué devuelve `callModel`: un mensaje, o la promesa de un mensaje?",
  en: "What does `callModel` return: a message, or the promise of a message?",
};

function finding(turn: number, at: Spot | null, detail: Text, next = PROMISE): Finding {
  return {
    turn,
    at,
    headline: {
      es: "Tu bucle no esperó la respuesta del modelo",
      en: "Your loop did not wait for the model's reply",
    },
    detail,
    next,
  };
}

function failed(error: NonNullable<SettledEvent["error"]>, how: Text): Text {
  const said = errorSaid(error);
  return { es: `${how.es}: ${said.es}`, en: `${how.en}: ${said.en}` };
}

/** Whether the run ended by what the language throws when something is read that is not there. */
function isAccident({ error }: SettledEvent): boolean {
  return error?.name === "TypeError";
}

/** Whether a loop that throws did so to give up: with AgentStopped, or with any error of its own where nothing ends. */
function gaveUp(run: Run, end: SettledEvent): boolean {
  return end.error?.name === "AgentStopped" || (run.scenario.endlessFrom !== null && !isAccident(end));
}

/** Whether the function returned while the model waited, without saying that it meant to. */
function leftHanging(end: SettledEvent, last: Delivered): boolean {
  return end.how === "returned" && !givesReason(end.value) && asksInVain(last);
}

function asksInVain(last: Delivered): boolean {
  return last.message.stop_reason === "tool_use" && askedBy(last).length > 0;
}

/** Whether the conversation ended and its answer is not in what was returned. */
function isEndLost(run: Run, end: SettledEvent, last: Delivered): boolean {
  const { text } = nonces(run.scenario, last);
  return isEnd(last) && text.length > 0 && !mentions(end.value, text);
}

export default diagnosis;
