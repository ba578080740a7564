/** What the behaviours about calls that fail have in common. */
import type { JudgedRun } from "../grading/spec.ts";
import type { Seen, Verdict } from "./behaviour.ts";
import {
  type Answered,
  ENDINGS,
  endingOf,
  fails,
  notApplicable,
  notObservable,
  rejectedAfter,
  unseen,
} from "./judging.ts";

/** Diagnoses of a loop that a failed call takes down, or whose answer to it the API does not take. */
export const CRASHES = [
  "tool-error-crashes",
  "unknown-tool-crashes",
  "empty-error-result",
  "uncaught",
  "retry-storm",
  "never-settles",
];

/** Endings that are the failed call's doing as far as anyone can tell. */
const OF_THE_CALL = [...ENDINGS, "dropped-tool-result"];

/** Where no tool can be made to fail. */
export function untriedFailing({ tools, clock }: Seen): Verdict {
  if (tools !== "own") {
    return notApplicable({
      es: "No hay ninguna herramienta con la que probarlo.",
      en: "There is no tool to try it with.",
    });
  }
  const cure =
    clock === "real"
      ? { es: "", en: "" }
      : { es: " Con --stub-tools sí se ve.", en: " With --stub-tools it can be seen." };
  return notObservable({
    es: `Las herramientas son tuyas y hacen lo que hacen: ninguna se puede hacer fallar.${cure.es}`,
    en: `The tools are yours and do what they do: none can be made to fail.${cure.en}`,
  });
}

/** A run in which no result of a failed call was taken by the API. */
export function judgeCrash(run: JudgedRun, turn: Answered): Verdict {
  const fault = run.findings.find(({ weight }) => weight === "fault");
  if (fault !== undefined && !OF_THE_CALL.includes(fault.id)) return unseen(run);
  const rejected = rejectedAfter(run, turn);
  if (rejected !== null) return rejected;
  const ending = endingOf(run);
  return fails({
    es: `Una llamada falló y el bucle ${ending.es}: el modelo no recibió ningún resultado por ella.`,
    en: `A call failed; the loop ${ending.en}. The model got no result for it.`,
  });
}
