/** Failures of the server that pass: a loop should try again, and if it does not, say so. */
import { delivered, isEnd } from "../diagnoses/find/calls.ts";
import type { JudgedRun } from "../grading/spec.ts";
import type { ReplyEvent } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import type { Verdict } from "./behaviour.ts";
import { didAtTheEnd, handedBack, isAccident, NOWHERE, tells } from "./handed-back.ts";
import { endingOf, fails, faultIn, holds, notObservable, rejectedAfter, requestsOf, say, unseen } from "./judging.ts";

/** The attempts that the server failed. */
export function faultsOf(run: JudgedRun): ReplyEvent[] {
  return run.trace.filter((event): event is ReplyEvent => event.type === "reply" && event.kind === "fault");
}

/** @param faults what the server answers, and how often before all is well */
export function judgeRetry(run: JudgedRun | undefined, faults: { status: number; times: number }): Verdict {
  const met = run ? faultsOf(run).length : 0;
  if (run === undefined || met === 0) return unseen(run);
  const { status, times } = faults;
  const diagnosis = faultIn([run], ["overload-not-retried"])?.diagnosis ?? null;
  const did = didAtTheEnd(run);
  if (delivered(run.trace).some(isEnd)) {
    const requests = requestsOf(run).length;
    if (run.outcome === "returned") {
      return holds({
        es: `${errors(status, times).es}, y el bucle llegó a la respuesta en ${requests} intentos.`,
        en: `${errors(status, times).en}, and the loop got to the answer in ${requests} attempts.`,
      });
    }
    return unseen(run);
  }
  const rejected = rejectedAfter(run, faultsOf(run)[0] ?? null);
  if (rejected !== null) return rejected;
  const gaveUp = {
    es: `${errors(status, met).es}, y el bucle ${did.es} sin intentarlo${met === 1 ? "" : " más"}: el intento siguiente habría recibido respuesta.`,
    en: `${errors(status, met).en}, and the loop ${did.en} without ${met === 1 ? "another try" : "a further try"}: the next attempt would have been answered.`,
  };
  if (run.outcome === "threw") return fails(gaveUp, { severity: isAccident(run) ? "harms" : "advice", diagnosis });
  if (run.outcome === "returned") {
    if (handedBack(run).from === "nowhere") return notObservable(say((lang) => `${gaveUp[lang]} ${NOWHERE[lang]}`));
    if (tells(run)) return fails(gaveUp, { severity: "advice", diagnosis });
    return fails(
      say((lang) => `${gaveUp[lang]} ${SWALLOWED[lang]}`),
      { severity: "harms", diagnosis },
    );
  }
  if (run.outcome === "blocked") return unseen(run);
  const ending = endingOf(run);
  return (
    faultIn([run], null, { severity: "harms" }) ??
    fails({
      es: `${errors(status, met).es}, y el bucle ${ending.es}.`,
      en: `${errors(status, met).en}; the loop ${ending.en}.`,
    })
  );
}

/** `La API respondió 529 dos veces`. */
function errors(status: number, times: number): Text {
  return {
    es: `La API respondió ${status}${times === 1 ? "" : times === 2 ? " dos veces" : ` ${times} veces`}`,
    en: `The API answered ${status}${times === 1 ? "" : times === 2 ? " twice" : ` ${times} times`}`,
  };
}

const SWALLOWED: Text = {
  es: "Nada de eso dice que hubo un error.",
  en: "Nothing in that says that there was an error.",
};
