import { historyText } from "../../diagnoses/find/requests.ts";
import { times } from "../../diagnoses/words/words.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { didAtTheEnd, isAccident } from "../handed-back.ts";
import { fails, faultIn, holds, rejectedAfter, repliesOf, requestsAfter, requestsOf, unseen } from "../judging.ts";

/** Requests that may ask the model, in other words, for something to say after all. */
const FEW = 2;

/** The model ends its turn without a word, as it does now and then after a result. */
const behaviour: Behaviour = {
  id: "empty-end",
  order: 170,
  title: {
    es: "Toma un `end_turn` vacío por un final",
    en: "Takes an empty `end_turn` for an end",
  },
  severity: "harms",
  scenarios: (cast) => {
    const call = cast.call();
    const first = call
      ? [{ text: { es: "Lo anoto. {{nonce}}", en: "I will note that down. {{nonce}}" }, calls: [call] }]
      : [];
    const title = { es: "Un final sin una palabra", en: "An end without a word" };
    return [cast.script(title, [...first, { stopReason: "end_turn" as const }])];
  },
  judge: ([run]) => {
    const end = run && repliesOf(run).find(({ final }) => final);
    if (run === undefined || end === undefined) return unseen(run);
    const own = faultIn([run], ["empty-message-pushed"]) ?? rejectedAfter(run, end);
    if (own !== null) return own;
    const again = sameAgain(run, end.request);
    const more = requestsAfter(run, end).length;
    if (again > 0 || more > FEW) {
      const same = again === more ? { es: " con lo mismo", en: " with the very same" } : { es: "", en: "" };
      return fails(
        {
          es: `El modelo terminó sin una palabra, y el bucle volvió a llamarlo ${times(more).es}${same.es}.`,
          en: `The model ended without a word, and the loop called it ${times(more).en} more${same.en}.`,
        },
        { diagnosis: faultIn([run], ["kept-going-after-end"])?.diagnosis ?? null },
      );
    }
    return ended(run, more);
  },
};

function ended(run: JudgedRun, more: number): Verdict {
  const did = didAtTheEnd(run);
  const asked =
    more > 0
      ? { es: ` (tras pedirle ${times(more).es} que siguiera)`, en: ` (after being asked ${times(more).en} to go on)` }
      : { es: "", en: "" };
  const both = {
    es: `El modelo terminó sin una palabra${asked.es}, y el bucle ${did.es}.`,
    en: `The model ended without a word${asked.en}, and the loop ${did.en}.`,
  };
  if (run.outcome === "returned") return holds(both);
  if (run.outcome === "threw") return isAccident(run) ? fails(both) : holds(both);
  if (run.outcome === "blocked") return unseen(run);
  return faultIn([run]) ?? fails(both);
}

/** Requests after the end that ask just what was answered by it. */
function sameAgain(run: JudgedRun, seq: number): number {
  const answered = requestsOf(run).find((request) => request.seq === seq);
  if (answered === undefined) return 0;
  return requestsOf(run).filter((each) => each.seq > seq && historyText(each) === historyText(answered)).length;
}

export default behaviour;
