import { delivered, isEnd } from "../../diagnoses/find/calls.ts";
import { bodyText } from "../../diagnoses/find/requests.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { didAtTheEnd, handedBack, isAccident, NOWHERE, tells } from "../handed-back.ts";
import { fails, faultIn, holds, notObservable, requestsAfter, requestsOf, say, unseen } from "../judging.ts";
import { faultsOf } from "../retries.ts";

const WHAT = {
  es: "La API rechazó la petición con un 400",
  en: "The API turned the request down with a 400",
};

/** The API turns the request down: the conversation has grown too long. */
const behaviour: Behaviour = {
  id: "bad-request",
  order: 200,
  title: {
    es: "No repite una petición rechazada (400), y deja ver el error",
    en: "Does not repeat a rejected request (400), and lets the error be seen",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "Un 400", en: "A 400" }, [
      { fault: 400 },
      { text: { es: "Esta vez sí cupo. {{nonce}}", en: "This time it did fit. {{nonce}}" } },
    ]),
  ],
  judge: ([run]) => {
    const refused = run && faultsOf(run)[0];
    if (run === undefined || refused === undefined) return unseen(run);
    const body = bodyText(requestsOf(run).find(({ seq }) => seq === refused.request)!);
    const again = requestsAfter(run, refused).filter((request) => bodyText(request) === body).length;
    if (again > 0) {
      const known = faultIn([run], ["rejected-request-retried", "retry-storm"]);
      return fails(
        {
          es: `${WHAT.es} y el bucle la envió otra vez igual (${again + 1} veces en total).`,
          en: `${WHAT.en} and the loop sent it again unchanged (${again + 1} times in all).`,
        },
        { diagnosis: known?.diagnosis ?? null },
      );
    }
    return judgeEnding(run);
  },
};

function judgeEnding(run: JudgedRun): Verdict {
  const did = didAtTheEnd(run);
  const both = say((lang) => `${WHAT[lang]}${lang === "es" ? ", y el bucle" : ", and the loop"} ${did[lang]}.`);
  if (delivered(run.trace).some(isEnd)) {
    return holds({
      es: `${WHAT.es}, y el bucle envió otra distinta, que sí recibió respuesta.`,
      en: `${WHAT.en}, and the loop sent a different one, which was answered.`,
    });
  }
  if (run.outcome === "threw") {
    return isAccident(run) ? fails(say((lang) => `${both[lang]} ${HIDDEN[lang]}`)) : holds(both);
  }
  if (run.outcome === "returned") {
    if (tells(run)) return holds(both);
    if (handedBack(run).from === "nowhere") return notObservable(say((lang) => `${both[lang]} ${NOWHERE[lang]}`));
    return fails(say((lang) => `${both[lang]} ${SWALLOWED[lang]}`));
  }
  if (run.outcome === "blocked") return unseen(run);
  return faultIn([run]) ?? fails(both);
}

const HIDDEN = {
  es: "El error de la API quedó detrás de otro.",
  en: "The API's error is hidden behind another one.",
};
const SWALLOWED = {
  es: "Nada de eso dice que hubo un error.",
  en: "Nothing in that says that there was an error.",
};

export default behaviour;
