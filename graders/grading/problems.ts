/** What can be wrong with a submission before any loop is judged, told to its author; and our own failure. */
import { errorSaid } from "../diagnoses/words/words.ts";
import { codeFrame } from "../sandbox/compile/frame.ts";
import type { Refusal } from "../sandbox/compile/program.ts";
import { kindSaid } from "../sandbox/look.ts";
import type { Spot, ThrownError } from "../trace/events.ts";
import type { Source } from "../trace/run.ts";
import type { Lang, Text } from "../trace/text.ts";
import type { CourseExercise } from "./course.ts";
import type { Problem } from "./grade.ts";
import type { Misfit } from "./quiz.ts";

/** The folder is not there: nothing was handed in, which is not the same as a starter left as it was. */
export function notHandedIn({ folder }: CourseExercise): Problem {
  return {
    whose: "student",
    headline: { es: "No hay nada entregado.", en: "Nothing has been handed in." },
    detail: { es: `No existe la carpeta \`${folder}\`.`, en: `There is no folder \`${folder}\`.` },
    next: {
      es: "Crea la carpeta con los archivos del ejercicio, o revisa qué carpeta le diste a `--dir`.",
      en: "Make the folder with the exercise's files, or look again at the folder you gave to `--dir`.",
    },
    at: null,
    frame: null,
  };
}

/** What intake or the compiler refused, with the lines round it. */
export function refusalProblem(refusal: Refusal, source: Source): Problem {
  return { whose: "student", ...refusal, frame: refusal.at ? codeFrame(source, refusal.at) : null };
}

/** No export can be taken for the loop. */
export function noEntry(file: string, exports: readonly string[]): Refusal {
  const list = exports.map((name) => `\`${name}\``).join(", ");
  return {
    headline: {
      es: `\`${file}\` no exporta la función \`runAgent\`.`,
      en: `\`${file}\` does not export a \`runAgent\` function.`,
    },
    detail: {
      es: list
        ? `Exporta ${list}: no se puede saber cuál es tu bucle.`
        : "No exporta nada, así que no hay qué ejecutar.",
      en: list
        ? `It exports ${list}: which one is your loop cannot be told.`
        : "It exports nothing, so there is nothing to run.",
    },
    next: {
      es: "Tu bucle va en una función que el archivo exporta: `export async function runAgent(…)`.",
      en: "Your loop goes into a function that the file exports: `export async function runAgent(…)`.",
    },
    at: null,
  };
}

/** What is exported as the loop cannot be called. @param is what it is, as `typeof` says */
export function noFunction(file: string, entry: string, is: string): Refusal {
  const kind = kindSaid(is);
  return {
    headline: {
      es: `\`${file}\` no exporta la función \`runAgent\`.`,
      en: `\`${file}\` does not export a \`runAgent\` function.`,
    },
    detail: {
      es: `El export \`${entry}\` es ${kind.es}, y tiene que ser una función que reciba \`(userInput, tools)\`.`,
      en: `The export \`${entry}\` is ${kind.en}, and has to be a function that takes \`(userInput, tools)\`.`,
    },
    next: {
      es: `¿Qué declara \`${entry}\` en tu archivo, y dónde está la función que hace el bucle?`,
      en: `What does \`${entry}\` declare in your file, and where is the function that does the loop?`,
    },
    at: null,
  };
}

/** The file breaks down on import. @param error what was thrown; null where it waits for ever */
export function doesNotLoad(file: string, error: ThrownError | null, at: Spot | null): Refusal {
  const said = error === null ? null : errorSaid(error, 240);
  return {
    headline: {
      es: `\`${file}\` no llega a cargarse, así que nadie llamó a \`runAgent\`.`,
      en: `\`${file}\` does not load, so \`runAgent\` was never called.`,
    },
    detail:
      said === null
        ? {
            es: "Al importarlo se quedó esperando algo que nadie va a resolver: un `await` que está fuera de las funciones.",
            en: "On import it came to wait for something that nobody will resolve: an `await` that stands outside the functions.",
          }
        : {
            es: `El error ocurrió al importarlo, antes de llamar a \`runAgent\`: ${said.es}.`,
            en: `The error happened on import, before \`runAgent\` was called: ${said.en}.`,
          },
    next: {
      es: "Lo que está fuera de las funciones se ejecuta en cuanto se importa el archivo. ¿Tiene que ocurrir ahí?",
      en: "What stands outside the functions is run as soon as the file is imported. Does it have to happen there?",
    },
    at,
  };
}

/** `answers.json` is there, and it or some of its fields are not what they must be. */
export function misfitProblem(misfits: readonly Misfit[]): Problem {
  const keys = misfits.flatMap(({ key }) => (key === "" ? [] : `\`${key}\``)).join(", ");
  const one = misfits.length === 1;
  const fields =
    keys === ""
      ? { es: "", en: "" }
      : { es: `${one ? "el campo" : "los campos"} ${keys} de `, en: `the ${one ? "field" : "fields"} ${keys} of ` };
  const said = (lang: Lang) => misfits.map(({ key, why }) => `\`${key || "answers.json"}\`: ${why[lang]}.`).join(" ");
  return {
    whose: "student",
    headline: {
      es: `No se ${one ? "puede" : "pueden"} leer ${fields.es}\`answers.json\`.`,
      en: `Cannot read ${fields.en}\`answers.json\`.`,
    },
    detail: { es: said("es"), en: said("en") },
    next: {
      es: "Corrígelo y repite: aún no se ha juzgado ninguna respuesta.",
      en: "Mend it and try again: no answer has been judged yet.",
    },
    at: null,
    frame: null,
  };
}

/** `answers.json` is no JSON. @param reason what the parser said, of which only the place is used */
export function notJsonProblem(text: string, reason: string): Problem {
  // V8 says where it stopped, as an offset; without one it stopped at the end.
  const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
  const before = text.slice(0, offset).split("\n");
  const at = { file: "answers.json", line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return {
    whose: "student",
    headline: { es: "`answers.json` no es JSON válido.", en: "`answers.json` is not valid JSON." },
    detail: {
      es: `La lectura se detuvo en la línea ${at.line}: ahí, o justo antes, algo sobra o falta.`,
      en: `Reading stopped on line ${at.line}: there, or just before it, something is missing or too much.`,
    },
    next: {
      es: "Busca una coma de más o de menos, o unas comillas sin cerrar.",
      en: "Look for a comma too many or too few, or a quote left open.",
    },
    at,
    frame: codeFrame({ files: [{ name: at.file, text }] }, at),
  };
}

/** The kit failed: told with its stack, for those who maintain it. */
export function ourError(error: unknown): Problem {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    whose: "kit",
    headline: { es: "Falló Bucle, no tu código.", en: "Bucle failed, not your code." },
    detail: { es: reason, en: reason },
    next: {
      es: "Repite la orden; si vuelve a pasar, envía este texto a quien mantiene Bucle.",
      en: "Run the command again; if it happens again, send this text to the people who maintain Bucle.",
    },
    at: null,
    frame: null,
  };
}

/** Why right answers come too late. */
export function usedUp(conversation: number, next: number): Text {
  return {
    es: `La conversación ${conversation} ya se usó en un intento anterior; la que cuenta ahora es la ${next}.`,
    en: `Conversation ${conversation} was used up by an earlier try; the one that counts now is ${next}.`,
  };
}

export const COULD_NOT_RUN: Text = {
  es: "No se pudo ejecutar; mira el motivo arriba.",
  en: "It could not be run; see the reason above.",
};

export const NOT_STARTED: Text = { es: "Sin empezar.", en: "Not started." };

export const NOT_IN_THIS_ONE: Text = {
  es: "Esta conversación no lo pone a prueba.",
  en: "This conversation does not try it.",
};
