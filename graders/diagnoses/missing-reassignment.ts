import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { lastTurn } from "./find/ending.ts";
import { type Surplus, stalePush, staleRuns, wentOn } from "./find/surplus.ts";
import { SURPLUS_RUNS, SURPLUS_RUNS_AGAIN } from "./limits/limits.ts";
import { type StaleLoop, staleLoop } from "./point/stale-loop.ts";
import { apiSaid, code, cut, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "missing-reassignment",
  rank: 200,
  weight: "fault",
  exercise: "2.2",
  explains: [
    "tool-run-twice",
    "stopped-early",
    "preamble-as-answer",
    "answer-not-returned",
    "kept-going-after-end",
    "rewritten-history",
    "duplicate-tool-result",
    "wrong-tool-use-id",
    "missing-assistant-turn",
    "turns-out-of-order",
    "text-only-history",
    "dropped-tool-result",
    "unawaited-tool",
    "empty-message-pushed",
    "rejected-request-retried",
    "retry-storm",
    "uncaught",
  ],
  stops: (trace, _, { shown }) => {
    const enough = shown === diagnosis.id ? SURPLUS_RUNS_AGAIN : SURPLUS_RUNS;
    return staleRuns(trace).some(({ surplus }) => surplus >= enough);
  },
  detect(run) {
    const early = readTooEarly(run);
    if (early !== null) return early;
    const worst = (list: Surplus[]) => list.toSorted((a, b) => b.surplus - a.surplus)[0];
    const all = staleRuns(run.trace);
    const loop = worst(run.kind === diagnosis.id ? all : all.filter((surplus) => isStale(run, surplus)));
    if (loop === undefined) return null;
    const stale = staleLoop(run.source, loop.last.call.at);
    return {
      turn: loop.first.call.turn,
      at: stale?.culprit ?? stale?.spot ?? loop.last.call.at,
      headline: {
        es: "Tu bucle sigue actuando sobre una respuesta vieja del modelo",
        en: "Your loop keeps acting on an old reply of the model",
      },
      detail: text([
        {
          es: `Tu bucle ejecutó ${code(loop.asked.name)} ${times(loop.runs).es} con la misma respuesta del modelo. `,
          en: `Your loop ran ${code(loop.asked.name)} ${times(loop.runs).en} on the same reply of the model. `,
        },
        why(stale),
        apiSaid(stalePush(run.trace, loop)?.reply ?? null),
      ]),
      next: next(stale),
    };
  },
};

/**
 * The same mistake, cut short by the language: a `let` or `const` in the body that shadows the loop's variable, and code
 * above it in the body that reads the name. The error says so; the source only tells which of the two lines is which.
 */
function readTooEarly(run: Run): Finding | null {
  const { error } = run;
  const variable = /^Cannot access '([^']+)' before initialization$/.exec(error?.message ?? "")?.[1];
  if (run.outcome !== "threw" || error?.name !== "ReferenceError" || variable === undefined) return null;
  const stale = staleLoop(run.source, run.at);
  if (stale?.cause !== "shadowed" || stale.variable !== variable || stale.culprit === null) return null;
  const name = code(variable);
  const { line } = stale.culprit;
  return {
    turn: lastTurn(run.trace),
    at: stale.culprit,
    headline: {
      es: "Dentro del bucle hay otra variable con el mismo nombre, y se lee antes de existir",
      en: "Inside the loop there is another variable of the same name, read before it exists",
    },
    detail: {
      es: `La línea ${line} declara otro ${name} que solo vale en el cuerpo del bucle. En todo ese cuerpo el nombre ya es de la nueva, también en las líneas de arriba, donde aún no tiene valor: «${cut(error.message, 120)}». Y la condición del \`${stale.keyword}\` (línea ${stale.spot.line}) seguiría leyendo la de afuera.`,
      en: `Line ${line} declares another ${name} that counts only in the body of the loop. In all of that body the name is the new one's, on the lines above too, where it has no value yet: "${cut(error.message, 120)}". And the condition of the \`${stale.keyword}\` (line ${stale.spot.line}) would still read the outer one.`,
    },
    next: next(stale),
  };
}

/** One reply acted on three times, or twice when it was pushed again or the source shows the variable nobody assigns. */
function isStale(run: Run, surplus: Surplus): boolean {
  if (wentOn(run.trace, surplus)) return false;
  if (surplus.runs >= 3 || stalePush(run.trace, surplus) !== null) return true;
  return staleLoop(run.source, surplus.last.call.at) !== null;
}

function why(stale: StaleLoop | null): Text {
  if (stale === null) {
    return {
      es: "El modelo esperaba los resultados una vez, para contestar algo nuevo; cada vuelta volvió a leer lo que ya había contestado.",
      en: "The model was waiting for the results once, to say something new; each pass read again what it had already said.",
    };
  }
  const { variable, keyword, spot, culprit } = stale;
  const condition = {
    es: `la condición del \`${keyword}\` (línea ${spot.line}) sigue leyendo \`${variable}\``,
    en: `the condition of the \`${keyword}\` (line ${spot.line}) still reads \`${variable}\``,
  };
  if (stale.cause === "never" || culprit === null) {
    return {
      es: `El modelo esperaba los resultados para seguir, pero el cuerpo del bucle no vuelve a preguntarle y ${condition.es}, que guarda la respuesta de antes.`,
      en: `The model was waiting for the results to go on, but the body of the loop never asks it again and ${condition.en}, which holds the reply from before.`,
    };
  }
  if (stale.cause === "shadowed") {
    return {
      es: `El modelo sí contestó, pero la línea ${culprit.line} crea otra variable \`${variable}\` que solo existe en el cuerpo del bucle: ${condition.es}, la de afuera.`,
      en: `The model did answer, but line ${culprit.line} makes another \`${variable}\` that exists only in the body of the loop: ${condition.en}, the outer one.`,
    };
  }
  return {
    es: `El modelo sí contestó (la llamada está en la línea ${culprit.line}), pero esa respuesta no llega a la variable que decide: ${condition.es}, la de antes.`,
    en: `The model did answer (the call is on line ${culprit.line}), but that answer never reaches the variable that decides: ${condition.en}, the one from before.`,
  };
}

function next(stale: StaleLoop | null): Text {
  if (stale?.cause === "shadowed") {
    return {
      es: `¿Cuántas variables \`${stale.variable}\` hay en tu función, y cuál de ellas lee la condición?`,
      en: `How many variables called \`${stale.variable}\` does your function have, and which of them does the condition read?`,
    };
  }
  if (stale?.cause === "discarded" && stale.culprit) {
    return {
      es: `¿Dónde queda lo que devuelve la llamada de la línea ${stale.culprit.line} cuando empieza la vuelta siguiente?`,
      en: `Where is what the call on line ${stale.culprit.line} returns by the time the next pass begins?`,
    };
  }
  if (stale?.cause === "never") {
    return {
      es: "¿Qué falta al final del cuerpo, después de guardar los resultados, para que la condición lea algo nuevo?",
      en: "What is missing at the end of the body, after the results are stored, for the condition to read something new?",
    };
  }
  return {
    es: "Busca la variable que decide si el bucle sigue: ¿en qué línea recibe la respuesta nueva?",
    en: "Find the variable that decides whether the loop goes on: on which line does it get the new reply?",
  };
}

export default diagnosis;
