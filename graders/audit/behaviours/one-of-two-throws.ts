import { isNothing } from "../../diagnoses/find/answer.ts";
import { markOf, ran } from "../../diagnoses/find/calls.ts";
import { toJson } from "../../diagnoses/find/json.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import type { FileReply } from "../../model/scenario-file.ts";
import type { Behaviour, Cast, Seen, Verdict } from "../behaviour.ts";
import { CRASHES, judgeCrash, untriedFailing } from "../failing-calls.ts";
import {
  answersTo,
  FLAGGED,
  fails,
  faultIn,
  holds,
  noToolRan,
  notObservable,
  oneAtATime,
  repliesOf,
  together,
  trippedOverStandIn,
  unseen,
  wasTaken,
} from "../judging.ts";

/** Two calls in a turn of which one fails: the second, then the first. */
const behaviour: Behaviour = {
  id: "one-of-two-throws",
  order: 60,
  title: {
    es: "Si falla una de dos llamadas, el resultado de la otra no se pierde",
    en: "When one of two calls fails, the other's result is not lost",
  },
  severity: "harms",
  scenarios: (cast) => {
    const second = turnOf([cast.call(), cast.failingCall()]);
    const first = turnOf([cast.failingCall(), cast.call()]);
    if (second === null || first === null) return null;
    return [
      scenario(cast, { es: "Falla la segunda de dos llamadas", en: "The second of two calls fails" }, second),
      scenario(cast, { es: "Falla la primera de dos llamadas", en: "The first of two calls fails" }, first),
    ];
  },
  untried: untriedFailing,
  judge: (runs, seen) => {
    const single = oneAtATime(runs[0]);
    if (single !== null) return single;
    const [second, first] = [judgeOne(runs[0], seen, 1), judgeOne(runs[1], seen, 0)];
    // Whoever never takes the second call of a turn does so when the first fails, too: that says nothing of failing.
    if (second.status === "not-observable") return second;
    return together([second, first], BOTH);
  },
};

const BOTH = {
  es: "Una de dos llamadas falló, primero la segunda y luego la primera, y el modelo recibió las dos veces un error y un resultado.",
  en: "One of two calls failed, the second and then the first, and both times the model got an error and a result.",
};

type Calls = NonNullable<FileReply["calls"]>;

function turnOf(calls: readonly (Calls[number] | null)[]): Calls | null {
  const there = calls.flatMap((call) => call ?? []);
  return there.length === calls.length ? there : null;
}

function scenario(cast: Cast, title: { es: string; en: string }, calls: Calls) {
  return cast.script(title, [
    { text: { es: "Pido las dos cosas a la vez. {{nonce}}", en: "I will ask for both at once. {{nonce}}" }, calls },
    { text: { es: "Con eso me basta. {{nonce}}", en: "That will do. {{nonce}}" } },
  ]);
}

/** A call that was run with other data than the model wrote: whatever came of it, that is why. */
const INPUTS = ["partial-json-parsed", "wrong-tool-input"];

/** @param failing place of the call that fails */
function judgeOne(run: JudgedRun | undefined, seen: Seen, failing: 0 | 1): Verdict {
  const turn = run && repliesOf(run)[0];
  if (run === undefined || turn === undefined) return unseen(run);
  const none = noToolRan(run, seen);
  if (none !== null) return none;
  const own = faultIn([run], [...CRASHES, ...INPUTS]);
  if (own !== null) return own;
  const answered = answersTo(run, turn);
  const failed = answered?.calls[failing];
  const good = answered?.calls[1 - failing];
  const wasRun = ran(run.trace).some(({ result }) => result?.outcome.kind === "error");
  if (!wasRun && !failed?.results.length) return notObservable(NOT_RUN);
  if (!answered || !failed || !good) return judgeCrash(run, turn);
  if (!wasTaken(run, answered.request) || failed.results.length === 0 || good.results.length === 0) {
    const lost = [failed, good].filter(({ results }) => results.length === 0).map(({ name }) => `\`${name}\``);
    if (lost.length === 0) return judgeCrash(run, turn);
    return fails(
      {
        es: `Una de dos llamadas falló, y en la petición siguiente no había resultado de ${lost.join(" ni de ")}.`,
        en: `One of two calls failed, and the next request held no result of ${lost.join(" or ")}.`,
      },
      { diagnosis: faultIn([run], ["dropped-tool-result"])?.diagnosis ?? null },
    );
  }
  const value = ran(run.trace).find(({ result }) => result?.outcome.kind === "value")?.result?.outcome;
  const [sent] = good.results;
  const isThere = markOf(value).every((mark) => toJson(sent?.content).includes(mark));
  const tripped = sent?.is_error === true ? trippedOverStandIn(seen, good.name, sent) : null;
  if (tripped !== null) return tripped;
  if (sent?.is_error === true || isNothing(sent?.content) || !isThere) {
    return fails(
      {
        es: `Una de dos llamadas falló, y lo que devolvió la otra (\`${good.name}\`) no llegó al modelo${sent?.is_error ? ": también se marcó como error" : ""}.`,
        en: `One of two calls failed, and what the other (\`${good.name}\`) returned did not reach the model${sent?.is_error ? ": it was flagged as an error too" : ""}.`,
      },
      sent?.is_error === true ? { next: FLAGGED } : {},
    );
  }
  return holds(BOTH);
}

const NOT_RUN = {
  es: "No se llegó a ver: la llamada que debía fallar no se ejecutó.",
  en: "It could not be seen: the call that was to fail was never run.",
};

export default behaviour;
