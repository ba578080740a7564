import type { JudgedRun } from "../../grading/spec.ts";
import type { FileCall } from "../../model/scenario-file.ts";
import type { Behaviour } from "../behaviour.ts";
import {
  addsWords,
  didAtTheEnd,
  handedBack,
  holdsWords,
  isAccident,
  NOTHING_SAID,
  NOWHERE,
  ofItsOwn,
  showsOpenCall,
  tells,
} from "../handed-back.ts";
import { fails, faultIn, holds, noToolRan, notObservable, repliesOf, say, unseen } from "../judging.ts";
import { capIn, FEWEST } from "../own-cap.ts";

/** Turns until the model asks for the same things again. */
const TURNS = 8;

/** Virtual time that a tool takes here: a limit of minutes ends the conversation, and what one tool is given does not run out. */
const TAKES_MS = 4000;

/** The model goes on asking, for ever. */
const behaviour: Behaviour = {
  id: "endless-model",
  order: 80,
  title: {
    es: "Se detiene por sí mismo si el modelo nunca termina",
    en: "Stops by itself when the model never ends",
  },
  severity: "harms",
  scenarios: (cast) => {
    const turns = Array.from({ length: TURNS }).flatMap(() => {
      const call = cast.call();
      const text = { es: "Necesito otro dato. {{nonce}}", en: "I need one thing more. {{nonce}}" };
      return call ? [{ text, calls: [{ ...call, does: slowly(call.does) }] }] : [];
    });
    if (turns.length === 0) return null;
    const title = { es: "El modelo nunca termina", en: "The model never ends" };
    return [cast.script(title, turns, { endless: { from: 0 } })];
  },
  judge: ([run], seen) => {
    const { maxCalls } = seen;
    if (run === undefined) return unseen(run);
    const calls = run.counts.callModel;
    if (run.kind === "no-iteration-cap") {
      return fails(
        {
          es: `El modelo no dejó de pedir herramientas y el bucle lo siguió ${calls} respuestas, hasta que lo detuvimos (el límite de la prueba es ${maxCalls}).`,
          en: `The model never stopped asking for tools and the loop followed it for ${calls} replies, until we stopped it (the trial's limit is ${maxCalls}).`,
        },
        { severity: "breaks", diagnosis: "no-iteration-cap" },
      );
    }
    if ((run.outcome !== "returned" && run.outcome !== "threw") || isAccident(run)) return unseen(run);
    if (calls < FEWEST && capIn(run) === null) return unseen(run);
    const none = noToolRan(run, seen);
    if (none !== null) return none;
    const did = ofItsOwn(run) ?? didAtTheEnd(run);
    const stopped = {
      es: `Se detuvo tras ${calls} llamadas al modelo: ${did.es}.`,
      en: `It stopped after ${calls} calls of the model: it ${did.en}.`,
    };
    if (run.outcome === "returned" && isNothing(run)) {
      // One that hands its answers over elsewhere, as by callbacks, does so here.
      const isMute = seen.plain !== null && isNothing(seen.plain);
      if (isMute) return notObservable(say((lang) => `${stopped[lang]} ${NOWHERE[lang]}`));
      return fails(
        say((lang) => `${stopped[lang]} ${NOTHING_SAID[lang]}`),
        { severity: "advice", diagnosis: faultIn([run], ["cap-returns-nothing"])?.diagnosis ?? null },
      );
    }
    if (run.outcome === "threw" || !handsOverWords(run)) return holds(stopped);
    return fails(
      say((lang) => `${stopped[lang]} ${AS_ANSWER[lang]}`),
      { severity: "harms" },
    );
  },
};

function slowly(does: FileCall["does"]): FileCall["does"] {
  if (does === undefined || Array.isArray(does) || "hangs" in does) return does;
  return { ...does, takesMs: TAKES_MS };
}

const AS_ANSWER = {
  es: "Es lo que el modelo dijo antes de pedir otra herramienta, y nada avisa de que la tarea quedó a medias.",
  en: "That is what the model said before asking for another tool, and nothing tells that the task was left half done.",
};

/** Whether the caller got no value, or a text with nothing in it. */
function isNothing(run: JudgedRun): boolean {
  const { from, value } = handedBack(run);
  return from === "nowhere" || (typeof value === "string" && value.trim() === "");
}

/** Whether all that the caller gets are words beside calls, and nothing of the loop's own that could say that it gave up. */
function handsOverWords(run: JudgedRun): boolean {
  if (repliesOf(run).at(-1)?.message.stop_reason !== "tool_use" || tells(run) || showsOpenCall(run)) return false;
  return repliesOf(run).some((reply) => holdsWords(run, reply)) && !addsWords(run);
}

export default behaviour;
