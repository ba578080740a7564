import type { Behaviour, Seen } from "../behaviour.ts";
import { isAccident } from "../handed-back.ts";
import { notApplicable } from "../judging.ts";
import { judgeTwo, OWN_PROCESS, shortConversation } from "../two-conversations.ts";
import endless from "./endless-model.ts";

/** A conversation after one that used up all that the loop allows: what is counted outside of it shows only then. */
const behaviour: Behaviour = {
  id: "after-endless",
  order: 235,
  title: {
    es: "Tras una conversación que tuvo que cortar, la siguiente empieza de cero",
    en: "After a conversation that it had to cut short, starts the next from nothing",
  },
  severity: "harms",
  scenarios: (cast, seen) => {
    const long = seen.clock === "virtual" && cutsShort(seen) ? endless.scenarios(cast, seen) : null;
    if (long === null) return null;
    return [...long, shortConversation(cast, { es: "La conversación siguiente", en: "The next conversation" })];
  },
  together: "in-turn",
  untried: (seen) => {
    if (seen.clock === "real") return notApplicable(OWN_PROCESS);
    return seen.endless === null ? null : notApplicable(CUTS_NONE);
  },
  judge: (runs) => judgeTwo(runs, NOTHING_LEFT),
};

/** Whether the loop ended the endless conversation by itself. */
function cutsShort({ endless: run }: Seen): boolean {
  return run !== null && (run.outcome === "returned" || run.outcome === "threw") && !isAccident(run);
}

const CUTS_NONE = {
  es: "La conversación en la que el modelo nunca termina no la cortó el bucle, sino la prueba.",
  en: "The conversation in which the model never ends was not cut short by the loop but by the trial.",
};

const NOTHING_LEFT = {
  es: "Una conversación sin fin que cortó el bucle, y otra después: esta llegó a su final.",
  en: "One conversation without end that the loop cut short, and another after it: that one got to its end.",
};

export default behaviour;
