import type { Counts, Outcome } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";

/**
 * The words of the reports' own: everything a report says that is not said by a spec, a diagnosis or a scenario.
 * `words` are fixed; `counted` depend on a number; `endings` tell how a run ended when no diagnosis says it.
 */
export const words = {
  passed: { es: "pasa", en: "passed" },
  failed: { es: "aún no pasa", en: "not there yet" },
  untouched: { es: "sin empezar", en: "not started" },
  error: { es: "sin calificar: el error es nuestro, no tuyo", en: "not graded: the error is ours, not yours" },

  where: { es: "En", en: "In" },
  whatHappens: { es: "Qué hace tal como está", en: "What it does as it is" },
  turn: { es: "turno", en: "turn" },
  alsoWhere: { es: "también en:", en: "also in:" },
  printed: { es: "Lo que imprimió tu código", en: "What your code printed" },
  printedSame: { es: "imprimió lo mismo", en: "printed the same" },
  note: { es: "Nota:", en: "Note:" },
  expected: { es: "esperado", en: "expected" },
  got: { es: "obtenido", en: "got" },
  alsoFound: { es: "También se vio", en: "Also seen" },
  why: { es: "Por qué:", en: "Why:" },
  errorWas: { es: "El error:", en: "The error:" },
  threw: { es: "Lanzó", en: "Threw" },

  conversation: { es: "Conversación", en: "Conversation" },
  questions: { es: "Preguntas", en: "Questions" },
  unanswered: { es: "sin responder", en: "not answered" },
  chooseAll: { es: "elige todas las ciertas", en: "choose all that are true" },
  offIdeas: { es: "Lo que conviene volver a pensar", en: "What is worth another thought" },
  offWhy: {
    es: "Se te dice la idea, no la respuesta ni el valor.",
    en: "You are told the idea, not the answer and not the value.",
  },
  sealed: {
    es: "Nada se juzga hasta que todas estén respondidas.",
    en: "Nothing is judged until all are answered.",
  },

  total: { es: "Total:", en: "Total:" },
  again: { es: "Al cambiarlo", en: "Once changed" },
  answered: { es: "Al responder", en: "Once answered" },
  tryAgain: { es: "Para intentarlo otra vez", en: "To try again" },
  begin: { es: "Para empezar", en: "To begin" },
  hint: { es: "Una pista", en: "A hint" },
  page: { es: "Por qué", en: "Why" },
  more: { es: "Más detalle", en: "More detail" },
  whole: { es: "El ejercicio entero", en: "The whole exercise" },
  goesWell: { es: "esta conversación sale bien", en: "this conversation goes well" },
  goesWrong: { es: "esta conversación aún no sale bien", en: "this conversation does not go well yet" },
  onlyThis: {
    es: "Solo se probó esta conversación: los puntos son del ejercicio entero.",
    en: "Only this conversation was tried: points are for the whole exercise.",
  },
  repeat: { es: "Para repetir esta prueba tal cual:", en: "To repeat this very run:" },
  layers: { es: "aislamiento:", en: "isolation:" },
  onward: { es: "Para seguir", en: "To go on" },
  allPassed: { es: "¡Bien hecho! Todo lo que se comprobó pasa.", en: "Well done! Everything that was checked passes." },
  allPassedBut: {
    es: "Todo lo que se comprobó pasa. Lo que lleva △ no quitó puntos, pero conviene arreglarlo.",
    en: "Everything that was checked passes. What bears a △ cost no points, but is worth mending.",
  },
  costless: { es: "No quitó puntos, pero conviene arreglarlo:", en: "It cost no points, but is worth mending:" },
  longLines: {
    es: "Las líneas muy largas se muestran en parte; «…» marca lo que falta.",
    en: 'Very long lines are shown in part; "…" marks what is left out.',
  },
  openFolder: { es: "Todavía está como al principio. Lee:", en: "It is still as it was given. Read:" },

  lesson: { es: "Lección", en: "Lesson" },
  now: { es: "Ahora:", en: "Now:" },
  read: { es: "La lección", en: "The lesson" },
  readme: { es: "El ejercicio", en: "The exercise" },
  check: { es: "Comprobar", en: "Check" },
  saveAndSee: {
    es: "Lee, edita, guarda y comprueba. Cuando pase, `npm start` te lleva al siguiente.",
    en: "Read, edit, save and check. Once it passes, `npm start` takes you to the next one.",
  },
  courseDone: {
    es: "Terminaste todos los ejercicios que hay por ahora: sabes escribir el bucle a mano y nombrar sus errores.",
    en: "You have finished every exercise there is so far: you can write the loop by hand and name its mistakes.",
  },
  nothingYet: {
    es: "Todavía no hay nada que comprobar: ningún ejercicio está empezado.",
    en: "There is nothing to check yet: no exercise has been started.",
  },
  noKey: {
    es: "Sin clave, sin cuenta, sin costo y sin red: todo corre en tu equipo.",
    en: "No key, no account, no cost, no network: everything runs on your machine.",
  },
} satisfies Record<string, Text>;

/** How a run ended, as a bare fact. */
export const facts = {
  returned: { es: "termina", en: "it ends" },
  threw: { es: "se corta con un error", en: "it breaks off with an error" },
  looped: { es: "no termina: se detuvo al contar", en: "it does not end: counting stopped it" },
  stalled: { es: "no termina: se quedó esperando", en: "it does not end: it kept waiting" },
  crashed: { es: "se corta", en: "it breaks off" },
  blocked: {
    es: "se corta: pidió algo que aquí no se permite",
    en: "it breaks off: it asked for what is not allowed here",
  },
} satisfies Record<Outcome, Text>;

/** What is counted of a run. What `#harness` has a name for keeps it. */
export const counters = {
  callModel: { es: "callModel", en: "callModel" },
  executeTool: { es: "executeTool", en: "executeTool" },
  httpRequests: { es: "llamadas HTTP", en: "HTTP requests" },
  rejected: { es: "rechazadas", en: "rejected" },
  faulted: { es: "fallos", en: "faults" },
  messages: { es: "mensajes", en: "messages" },
} satisfies Record<keyof Counts, Text>;

export const counted = {
  points: (earned: number, possible: number): Text => ({
    es: `${earned} de ${possible} ${plural(possible, "punto", "puntos")}`,
    en: `${earned} of ${possible} ${plural(possible, "point", "points")}`,
  }),
  exercises: (done: number, all: number): Text => ({
    es: `${done} de ${all} ${plural(all, "ejercicio", "ejercicios")}`,
    en: `${done} of ${all} ${plural(all, "exercise", "exercises")}`,
  }),
  passed: (n: number): Text => ({ es: `${n} ${plural(n, "pasa", "pasan")}`, en: `${n} passed` }),
  failed: (n: number): Text => ({ es: `${n} aún no ${plural(n, "pasa", "pasan")}`, en: `${n} not passed yet` }),
  untouched: (n: number): Text => ({ es: `${n} sin empezar`, en: `${n} not started` }),
  error: (n: number): Text => ({ es: `${n} sin calificar`, en: `${n} not graded` }),
  ungraded: (points: number): Text => ({
    es: `${points} ${plural(points, "punto no se pudo calificar", "puntos no se pudieron calificar")} por un error nuestro; no ${plural(points, "cuenta", "cuentan")} en tu contra.`,
    en: `${points} ${plural(points, "point", "points")} could not be graded because of an error of ours; ${plural(points, "it does", "they do")} not count against you.`,
  }),
  missing: (n: number): Text => ({
    es: plural(n, "Falta 1 respuesta en answers.json:", `Faltan ${n} respuestas en answers.json:`),
    en: plural(n, "1 answer is missing in answers.json:", `${n} answers are missing in answers.json:`),
  }),
  nextConversation: (from: number, to: number): Text => ({
    es: `Tus respuestas eran de la conversación ${from}. Ahora toca la ${to}: el mismo programa con otra conversación. Escribe "conversation": ${to} en answers.json y predice de nuevo.`,
    en: `Your answers were for conversation ${from}. Now comes ${to}: the same program with another conversation. Write "conversation": ${to} in answers.json and predict again.`,
  }),
  moreLines: (n: number): Text => ({
    es: plural(n, "1 línea más. Para verla:", `${n} líneas más. Para verlas:`),
    en: plural(n, "1 more line. To see it:", `${n} more lines. To see them:`),
  }),
  linesNotKept: (n: number): Text => ({
    es: plural(n, "1 línea no se guardó: es demasiado texto.", `${n} líneas no se guardaron: es demasiado texto.`),
    en: plural(n, "1 line was not kept: it is too much text.", `${n} lines were not kept: it is too much text.`),
  }),
  moreCharacters: (n: number): Text => ({
    es: `… (${n} ${plural(n, "carácter", "caracteres")} más)`,
    en: `… (${n} more ${plural(n, "character", "characters")})`,
  }),
};

/** What to say of a run that ended badly and has no diagnosis, by kind, else by outcome. */
export interface Ending {
  headline: Text;
  detail: Text;
  next: Text;
}

/**
 * The ending of a run by its kind, else by its outcome.
 * @returns null for `returned` and `threw`, which are no mistake by themselves
 */
export function endingOf(run: { outcome: string; kind: string | null }): Ending | null {
  return (run.kind === null ? undefined : endings[run.kind]) ?? endings[run.outcome] ?? null;
}

function plural(n: number, one: string, many: string): string {
  return n === 1 ? one : many;
}

const SANDBOX_NEXT: Text = {
  es: "Usa solo `callModel`, `executeTool` y lo que está en tus archivos: ¿qué línea pide algo más?",
  en: "Use only `callModel`, `executeTool` and what is in your files: which line asks for more?",
};

const endings: Readonly<Record<string, Ending>> = {
  network: {
    headline: { es: "Tu código intentó usar la red", en: "Your code tried to use the network" },
    detail: {
      es: "Aquí no hay red: el modelo que responde es de ensayo y está en tu equipo.",
      en: "There is no network here: the model that answers is a scripted one, on your machine.",
    },
    next: SANDBOX_NEXT,
  },
  filesystem: {
    headline: { es: "Tu código intentó leer o escribir archivos", en: "Your code tried to read or write files" },
    detail: {
      es: "El ejercicio corre sin acceso a los archivos del equipo.",
      en: "The exercise runs without access to the machine's files.",
    },
    next: SANDBOX_NEXT,
  },
  process: {
    headline: { es: "Tu código intentó abrir otro proceso", en: "Your code tried to start another process" },
    detail: {
      es: "El ejercicio corre en un solo proceso y no puede abrir otros.",
      en: "The exercise runs in a single process and cannot start others.",
    },
    next: SANDBOX_NEXT,
  },
  "out-of-time": {
    headline: {
      es: "Tu código no terminó en el tiempo que se le da",
      en: "Your code did not end in the time it is given",
    },
    detail: {
      es: "Se detuvo por el reloj, que es el último recurso: ninguna de las cuentas explicó antes qué pasaba.",
      en: "It was stopped by the clock, the last resort: none of the counts had explained it before.",
    },
    next: {
      es: "¿Qué parte de tu código tarda o espera sin avanzar?",
      en: "Which part of your code takes long, or waits without getting anywhere?",
    },
  },
  "out-of-memory": {
    headline: { es: "Tu código usó toda la memoria que se le da", en: "Your code used all the memory it is given" },
    detail: {
      es: "El proceso se detuvo porque sus datos no dejaban de crecer.",
      en: "The process was stopped because its data kept growing.",
    },
    next: { es: "¿Qué lista o texto crece en cada vuelta?", en: "Which list or text grows on every pass?" },
  },
  uncaught: {
    headline: { es: "Se escapó un error que nadie esperaba", en: "An error got away that nobody was waiting for" },
    detail: {
      es: "Un error ocurrió fuera de lo que `runAgent` espera, y detuvo el proceso.",
      en: "An error happened outside of what `runAgent` waits for, and stopped the process.",
    },
    next: {
      es: "¿Hay alguna promesa a la que le falta un `await`?",
      en: "Is there a promise that lacks an `await`?",
    },
  },
  exited: {
    headline: {
      es: "Tu código cerró el proceso antes de responder",
      en: "Your code ended the process before answering",
    },
    detail: {
      es: "El proceso terminó sin que `runAgent` devolviera algo ni lanzara un error.",
      en: "The process ended before `runAgent` had returned or thrown.",
    },
    next: {
      es: "¿Algo en tu código llama a `process.exit`? Devuelve la respuesta en su lugar.",
      en: "Does something in your code call `process.exit`? Return the answer instead.",
    },
  },
  looped: {
    headline: { es: "Tu bucle siguió dando vueltas sin avanzar", en: "Your loop kept going round without getting on" },
    detail: {
      es: "Se detuvo al llegar al límite de lo que se cuenta, mucho más de lo que la tarea pide.",
      en: "It was stopped at the limit of what is counted, far beyond what the task needs.",
    },
    next: { es: "¿Qué cambia entre una vuelta y la siguiente?", en: "What changes between one pass and the next?" },
  },
  stalled: {
    headline: { es: "Tu código se quedó esperando", en: "Your code was left waiting" },
    detail: {
      es: "No había nada pendiente y `runAgent` no terminó.",
      en: "Nothing was outstanding and `runAgent` had not ended.",
    },
    next: { es: "¿Qué promesa nunca se resuelve?", en: "Which promise never settles?" },
  },
  crashed: {
    headline: { es: "El proceso de tu código se detuvo de golpe", en: "Your code's process stopped suddenly" },
    detail: {
      es: "Terminó sin que `runAgent` devolviera algo ni lanzara un error.",
      en: "It ended before `runAgent` had returned or thrown.",
    },
    next: { es: "¿Qué fue lo último que hizo tu código?", en: "What was the last thing your code did?" },
  },
  blocked: {
    headline: {
      es: "Tu código pidió algo que aquí no se permite",
      en: "Your code asked for something not allowed here",
    },
    detail: {
      es: "El ejercicio corre aislado, y lo que pidió detuvo la ejecución.",
      en: "The exercise runs isolated, and what it asked for ended the run.",
    },
    next: SANDBOX_NEXT,
  },
};
