import type { Diagnosis } from "../../trace/diagnosis.ts";
import { type Exchange, exchanges } from "../find/requests.ts";

const diagnosis: Diagnosis = {
  id: "some-mistake",
  rank: 0,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const shown = exchanges(run.trace).find(showsIt);
    if (shown === undefined) return null;
    return {
      turn: shown.request.turn,
      at: shown.request.at,
      // What is wrong, in plain words: no id, at most 90 characters.
      headline: { es: "", en: "" },
      // What the loop did, then what the model was waiting for.
      detail: { es: "", en: "" },
      // One step to take, as a question or an action; never the line that mends it.
      next: { es: "", en: "" },
    };
  },
};

/** What in a request, or in what came back, shows the mistake. The trace alone decides; graders/diagnoses/find/ reads it. */
function showsIt(_exchange: Exchange): boolean {
  return false;
}

export default diagnosis;
