import type { JudgedRun } from "../../grading/spec.ts";
import { isToolUse } from "../../trace/api.ts";
import type { Behaviour, Seen, Verdict } from "../behaviour.ts";
import {
  type Answered,
  answeredByItself,
  answersTo,
  ENDINGS,
  endingOf,
  fails,
  faultIn,
  flaggedThoughWell,
  holds,
  neverAnswers,
  oneAtATime,
  rejectedAfter,
  repliesOf,
  together,
  unseen,
  wasTaken,
} from "../judging.ts";

/** Mistakes in what is run for a turn's calls and in what answers them, if some call of it was answered at all. */
const OWN = [
  "dropped-tool-result",
  "tool-not-run",
  "duplicate-tool-result",
  "wrong-tool-use-id",
  "wrong-tool-input",
  "partial-json-parsed",
  "tool-run-twice",
  "result-left-out",
];

/** Two calls in one turn: of two tools, of one tool, and the very same twice. */
const behaviour: Behaviour = {
  id: "parallel-calls",
  order: 20,
  title: {
    es: "Ejecuta todas las llamadas de un turno y responde a todas en un mensaje",
    en: "Runs every call of a turn and answers them all in one message",
  },
  severity: "harms",
  scenarios: (cast) => {
    const [first, second] = [cast.call(), cast.call()];
    if (first === null || second === null) return null;
    const twin = cast.again(first);
    const both = { es: "Voy a ver las dos cosas. {{nonce}}", en: "I will look at both. {{nonce}}" };
    const once = { es: "Y esto, dos veces. {{nonce}}", en: "And this one twice. {{nonce}}" };
    const end = { text: { es: "Aquí está todo. {{nonce}}", en: "Here is all of it. {{nonce}}" } };
    return [
      cast.script({ es: "Dos llamadas en un turno", en: "Two calls in one turn" }, [
        { text: both, calls: [first, second] },
        end,
      ]),
      cast.script({ es: "Dos llamadas a una herramienta", en: "Two calls of one tool" }, [
        { text: both, calls: [cast.again(first), cast.again(first)] },
        { text: once, calls: [twin, twin] },
        end,
      ]),
    ];
  },
  judge: (runs, seen) => {
    const single = oneAtATime(runs[0]);
    if (single !== null) return single;
    const [plain, ...others] = runs.map((run) => judgeRun(run, seen));
    // Whoever does not take two calls of two tools does not take two of one either.
    if (plain === undefined || plain.status === "not-observable") return plain ?? unseen(undefined);
    return together([plain, ...others], plain.message);
  },
};

function judgeRun(run: JudgedRun, seen: Seen): Verdict {
  const turns = repliesOf(run).filter(({ message }) => message.content.some(isToolUse));
  if (turns.length === 0) return unseen(run);
  const verdicts = turns.map((turn) => judgeTurn(run, turn, seen));
  return verdicts.find(({ status }) => status !== "holds") ?? verdicts[0]!;
}

function judgeTurn(run: JudgedRun, turn: Answered, seen: Seen): Verdict {
  const answered = answersTo(run, turn);
  const some = answered?.calls.some(({ results }) => results.length > 0) ?? false;
  const split = faultIn([run], ["split-tool-results"], { severity: "advice" });
  const own = split ?? (some ? (faultIn([run], OWN) ?? flaggedThoughWell(run, seen)) : null);
  if (own !== null) return own;
  const byItself = answered && answeredByItself(run, seen, answered.calls);
  if (byItself) return byItself;
  if (answered && wasTaken(run, answered.request) && answered.calls.every(({ results }) => results.length === 1)) {
    return holds({
      es: "El modelo pidió dos llamadas en un turno (de dos herramientas, de una sola y la misma dos veces) y recibió los dos resultados juntos en el mensaje siguiente.",
      en: "The model asked for two calls in one turn (of two tools, of one, and the same twice) and got both results together in the next message.",
    });
  }
  if (run.findings.some(({ id, weight }) => weight === "fault" && !ENDINGS.includes(id))) return unseen(run);
  const rejected = rejectedAfter(run, turn);
  if (rejected !== null) return rejected;
  const never = neverAnswers(seen);
  if (never !== null) return never;
  const ending = endingOf(run);
  return fails({
    es: `El modelo pidió dos llamadas en un turno y el bucle ${ending.es} sin enviar sus resultados.`,
    en: `The model asked for two calls in one turn; the loop ${ending.en}, without sending their results.`,
  });
}

export default behaviour;
