/** Failures of the server that pass: a loop should try again, and if it does not, say so. */
import { delivered, isEnd } from "../diagnoses/find/calls.ts";
import { code } from "../diagnoses/words/words.ts";
import type { JudgedRun } from "../grading/spec.ts";
import type { ScenarioFile } from "../model/scenario-file.ts";
import { isText } from "../trace/api.ts";
import type { ReplyEvent, RequestEvent } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import type { Cast, Seen, Verdict } from "./behaviour.ts";
import { didAtTheEnd, handedBack, isAccident, NOWHERE, tells } from "./handed-back.ts";
import {
  endingOf,
  fails,
  faultIn,
  holds,
  notObservable,
  rejectedAfter,
  requestsAfter,
  requestsOf,
  say,
  together,
  unseen,
} from "./judging.ts";

/** The attempts that the server failed. */
export function faultsOf(run: JudgedRun): ReplyEvent[] {
  return run.trace.filter((event): event is ReplyEvent => event.type === "reply" && event.kind === "fault");
}

/** What the server answers, and how often before all is well. */
interface Faults {
  status: number;
  times: number;
}

/** The conversations of a row about such a failure: one in which it passes, and one in which it does not. */
export function faultScripts(cast: Cast, { status, times }: Faults & { status: 429 | 529 }, end: Text): ScenarioFile[] {
  const fault = { fault: status, retryAfterMs: 20 };
  const faults = Array.from({ length: times }, () => fault);
  return [
    cast.script(
      {
        es: `${times === 1 ? "Un" : "Dos"} ${status} y luego la respuesta`,
        en: `${times === 1 ? "A" : "Two"} ${status} and then the answer`,
      },
      [...faults, { text: end }],
    ),
    cast.script({ es: `Siempre un ${status}`, en: `A ${status} every time` }, [fault], { endless: { from: 0 } }),
  ];
}

/** Judges those conversations. */
export function judgeFaults(runs: readonly JudgedRun[], seen: Seen, faults: Faults): Verdict {
  const passing = judgeRetry(runs[0], seen, faults);
  if (passing.status === "not-observable") return passing;
  return together([passing, judgeStorm(runs[1], faults)], passing.message);
}

const HOW_OFTEN: Text = {
  es: "¿Cuántos intentos hace tu bucle antes de rendirse, y qué entrega entonces?",
  en: "How many attempts does your loop make before it gives up, and what does it hand over then?",
};

const WHERE_ADDED: Text = {
  es: "¿Qué parte de tu bucle se repite en cada intento: solo la petición, o también lo que añade el mensaje del usuario?",
  en: "Which part of your loop is done again at each attempt: the request alone, or what adds the user's message, too?",
};

/** However often it fails: only whether the loop ends. */
function judgeStorm(run: JudgedRun | undefined, { status }: Faults): Verdict {
  if (run === undefined || run.outcome === "returned" || run.outcome === "threw") return holds({ es: "", en: "" });
  if (run.outcome !== "looped") return unseen(run, 1);
  const sent = requestsOf(run).length;
  return fails(
    {
      es: `La API respondió ${status} siempre, y el bucle envió ${sent} peticiones seguidas, hasta que lo detuvimos: insiste sin límite.`,
      en: `The API answered ${status} every time, and the loop sent ${sent} requests in a row, until we stopped it: it insists with no limit.`,
    },
    { severity: "breaks", run: 1, diagnosis: faultIn([run], ["retry-storm"])?.diagnosis ?? null, next: HOW_OFTEN },
  );
}

function judgeRetry(run: JudgedRun | undefined, seen: Seen, faults: Faults): Verdict {
  const met = run ? faultsOf(run).length : 0;
  if (run === undefined || met === 0) return unseen(run);
  const { status, times } = faults;
  const diagnosis = faultIn([run], ["overload-not-retried"])?.diagnosis ?? null;
  const did = didAtTheEnd(run);
  const twice = saidTwice(run);
  if (twice !== null) {
    return fails(
      {
        es: `${errors(status, met).es}, y al intentarlo otra vez el bucle envió dos veces el mensaje del usuario: ${code(twice, 60)}.`,
        en: `${errors(status, met).en}, and when it tried again the loop sent the user's message twice: ${code(twice, 60)}.`,
      },
      { severity: "harms", next: WHERE_ADDED },
    );
  }
  if (delivered(run.trace).some(isEnd)) {
    const requests = requestsOf(run).length;
    if (run.outcome === "returned") {
      return holds({
        es: `${errors(status, times).es}, y el bucle llegó a la respuesta en ${requests} intentos.`,
        en: `${errors(status, times).en}, and the loop got to the answer in ${requests} attempts.`,
      });
    }
    // A loop that never comes to a good end does not do so here.
    if (run.outcome === "blocked" || (seen.plain !== null && seen.plain.outcome !== "returned")) return unseen(run);
    const ending = endingOf(run);
    return fails(
      {
        es: `${errors(status, times).es} y luego dio la respuesta, y el bucle ${ending.es}.`,
        en: `${errors(status, times).en} and then gave the answer; the loop ${ending.en}.`,
      },
      { severity: "harms", diagnosis: run.outcome === "threw" ? null : (faultIn([run])?.diagnosis ?? null) },
    );
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

/** What the user said in the request that failed, where a later one says it more often; null where none does. */
function saidTwice(run: JudgedRun): string | null {
  const [fault] = faultsOf(run);
  const failed = requestsOf(run).find(({ seq }) => seq === fault?.request);
  if (failed === undefined) return null;
  const before = userTexts(failed);
  const later = requestsAfter(run, failed).map(userTexts);
  const count = (texts: readonly string[], text: string) => texts.filter((each) => each === text).length;
  return before.find((text) => later.some((texts) => count(texts, text) > count(before, text))) ?? null;
}

function userTexts({ history }: RequestEvent): string[] {
  return history
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => content.filter(isText).map(({ text }) => text));
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
