import { isNothing } from "../../diagnoses/find/answer.ts";
import type { Behaviour } from "../behaviour.ts";
import { CRASHES, judgeCrash, untriedFailing } from "../failing-calls.ts";
import { answersTo, fails, faultIn, holds, noToolRan, repliesOf, unseen, wasTaken } from "../judging.ts";

/** A tool that fails. */
const behaviour: Behaviour = {
  id: "tool-throws",
  order: 50,
  title: {
    es: "Le cuenta al modelo que una herramienta falló, y sigue",
    en: "Tells the model that a tool failed, and goes on",
  },
  severity: "harms",
  scenarios: (cast) => {
    const call = cast.failingCall();
    if (call === null) return null;
    return [
      cast.script({ es: "Una herramienta falla", en: "A tool fails" }, [
        { text: { es: "Lo consulto. {{nonce}}", en: "I will look it up. {{nonce}}" }, calls: [call] },
        { text: { es: "Lo resolví de otra manera. {{nonce}}", en: "I found another way. {{nonce}}" } },
      ]),
    ];
  },
  untried: untriedFailing,
  judge: ([run], seen) => {
    const turn = run && repliesOf(run)[0];
    if (run === undefined || turn === undefined) return unseen(run);
    const none = noToolRan(run, seen);
    if (none !== null) return none;
    const own = faultIn([run], CRASHES);
    if (own !== null) return own;
    const answered = answersTo(run, turn);
    const [result] = answered?.calls[0]?.results ?? [];
    if (answered === null || result === undefined || !wasTaken(run, answered.request)) return judgeCrash(run, turn);
    if (result.is_error === true) {
      return holds({
        es: "La herramienta falló y el modelo recibió el error, con `is_error: true`.",
        en: "The tool failed and the model got the error, with `is_error: true`.",
      });
    }
    if (isNothing(result.content)) {
      return fails({
        es: "La herramienta falló y el modelo recibió un resultado vacío, sin nada que hable de un fallo.",
        en: "The tool failed and the model got an empty result, with nothing about a failure.",
      });
    }
    return (
      faultIn([run], ["result-left-out"]) ??
      fails(
        {
          es: "La herramienta falló y su `tool_result` llegó al modelo sin `is_error: true`: lo lee como un resultado normal.",
          en: "The tool failed and its `tool_result` reached the model without `is_error: true`: it reads it as an ordinary result.",
        },
        { severity: "advice", diagnosis: "tool-error-unflagged" },
      )
    );
  },
};

export default behaviour;
