/** What is said of a loop that cannot be audited because it does not get that far: its file, its export, its first call. */
import { diagnose } from "../diagnoses/catalog/catalog.ts";
import { code, json } from "../diagnoses/words/words.ts";
import { type Exported, kindSaid, type Look } from "../sandbox/look.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { hostsIn, howItEnded } from "./endings.ts";
import { adapt, begun, USUAL } from "./stage/file.ts";
import type { Stage } from "./stage/stage.ts";

/** How a file does nothing on import. */
export const ONLY_WHEN_RUN: Text = {
  es: "`if (import.meta.url === pathToFileURL(process.argv[1]).href) main()`, o `if (require.main === module) main()` en CommonJS",
  en: "`if (import.meta.url === pathToFileURL(process.argv[1]).href) main()`, or `if (require.main === module) main()` in CommonJS",
};

/**
 * Why a loop never asked the model, and what to do.
 * @param run the first hello
 * @param look what its file shows by itself; null for a program
 */
export function neverAsked(run: Run, stage: Stage, look: Look | null): Text {
  if (look !== null && !look.loads) return doesNotLoad(look.run);
  if (look !== null && !isLoop(look.found, run)) return isNoLoop(look.entry, look.found, run);
  const ending = endingOf(run);
  const next = nextOfCall(run, stage);
  const isProgram = stage.clock === "real";
  return {
    es: `Tu ${isProgram ? "programa" : "función"} no llamó ni una vez a ${stage.endpoint}: ${ending.es}. ${next.es}`,
    en: `Your ${isProgram ? "program" : "function"} did not call ${stage.endpoint} even once: it ${ending.en}. ${next.en}`,
  };
}

function nextOfCall(run: Run, { whenSilent }: Stage): Text {
  if (hostsIn(run.trace).length > 0) return ONLY_ANTHROPIC;
  if (mayLackASecret(run)) return NO_SECRETS;
  if (run.outcome === "returned" || run.outcome === "threw") return whenSilent;
  return diagnose(run)[0]?.next ?? whenSilent;
}

const ONLY_ANTHROPIC: Text = {
  es: "Solo se audita lo que se le pide a la API de Anthropic, y no hay otra red: apunta tu cliente a ella.",
  en: "Only what is asked of Anthropic's own API is audited, and there is no other network: point your client there.",
};

/** One question and one answer, and the loop did not get through it. */
export function neverAnswers(run: Run, stage: Stage): Text {
  const ending = endingOf(run);
  const isProgram = stage.clock === "real";
  return {
    es: `Con la conversación más simple (una pregunta, una respuesta y ninguna herramienta) tu ${isProgram ? "programa" : "función"} no llegó a devolver nada: ${ending.es}. Arregla eso antes de auditar lo demás.`,
    en: `In the plainest conversation (one question, one answer, no tool) your ${isProgram ? "program" : "function"} did not get to return anything: it ${ending.en}. Mend that before the rest is audited.`,
  };
}

function doesNotLoad(run: Run): Text {
  const ending = endingOf(run);
  const next = nextOfImport(run);
  return {
    es: `Tu archivo no llega a cargarse: al importarlo ${ending.es}. ${next.es}`,
    en: `Your file does not load: on import it ${ending.en}. ${next.en}`,
  };
}

function nextOfImport(run: Run): Text {
  const { outcome, kind } = run;
  if (kind === "network") return WITHOUT_NETWORK;
  if (outcome === "blocked") return WITHOUT_SANDBOX;
  if (kind === "exited") return ONLY_THEN;
  if (mayLackASecret(run)) return NO_SECRETS;
  return outcome === "threw" || kind === "uncaught" ? MEND_OR_MOVE : LET_IT_END;
}

/** An error that may be of a variable that is not set: the secrets of the environment are taken out of it. */
function mayLackASecret({ error }: Run): boolean {
  const said = error?.message ?? "";
  return VARIABLE.test(said) || SECRET.test(said);
}

const VARIABLE = /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/;
const SECRET = /\b(env|environment|api.?key|secret|password|credentials?)\b/i;

const ONLY_THEN: Text = {
  es: `Que eso ocurra solo cuando el archivo se ejecuta: ${ONLY_WHEN_RUN.es}.`,
  en: `Let that happen only when the file is run: ${ONLY_WHEN_RUN.en}.`,
};
const LET_IT_END: Text = {
  es: `Haz que eso termine, o que ocurra solo cuando el archivo se ejecuta: ${ONLY_WHEN_RUN.es}.`,
  en: `Let that come to an end, or happen only when the file is run: ${ONLY_WHEN_RUN.en}.`,
};
const MEND_OR_MOVE: Text = {
  es: "Corrige esa línea, o llévala dentro de la función: la auditoría importa el archivo antes de llamarla.",
  en: "Mend that line, or move it into the function: the audit imports the file before it calls that.",
};
const NO_SECRETS: Text = {
  es: "Si le falta una variable de entorno: a lo que se audita no se le pasan las que por su nombre son una clave o una contraseña. Que la compruebe solo cuando se usa de verdad, o dale un valor por defecto.",
  en: "If it misses an environment variable: those that by their name are a key or a password are not passed on to what is audited. Let it check only when it is used in earnest, or give it a default.",
};
const WITHOUT_NETWORK: Text = {
  es: "En una auditoría no hay más red que la API de Anthropic. Lleva esa petición a donde la auditoría no llegue, o pon en su lugar un valor de prueba.",
  en: "In an audit there is no network but Anthropic's API. Move that request to where the audit does not get, or put a made-up value in its place.",
};
const WITHOUT_SANDBOX: Text = {
  es: "Es `--sandbox` lo que no lo permite. Quítalo: el archivo es tuyo.",
  en: "It is `--sandbox` that does not allow it. Leave that out: the file is your own.",
};

/** Whether an export can be called as the loop; of a class it is not known before one is made. */
function isLoop({ is, methods }: Exported, { outcome }: Run): boolean {
  if (is === "function") return true;
  return methods.includes("runAgent") && (is === "object" || outcome !== "threw");
}

function isNoLoop(entry: string, found: Exported, run: Run): Text {
  const what = found.is === "class" ? classSaid(found, run) : exportSaid(entry, found);
  const others = found.functions
    .slice(0, 5)
    .map((name) => code(name))
    .join(", ");
  const example = adapt(exampleFor(entry, found, run));
  return {
    es: `${what.es} ${others ? `Si tu bucle es otra de sus funciones (${others}), dilo con --export. Si no: ${begun(example.es)}` : example.es}`,
    en: `${what.en} ${others ? `If your loop is another of its functions (${others}), say so with --export. If not: ${begun(example.en)}` : example.en}`,
  };
}

function exportSaid(entry: string, { is }: Exported): Text {
  const kind = kindSaid(is);
  const without = is === "object" ? { es: " sin método `runAgent`", en: " without a method `runAgent`" } : NOTHING;
  return {
    es: `El export \`${entry}\` es ${kind.es}${without.es}, y tiene que ser una función que reciba (userInput, tools).`,
    en: `The export \`${entry}\` is ${kind.en}${without.en}, and has to be a function that takes (userInput, tools).`,
  };
}

const NOTHING: Text = { es: "", en: "" };

/** A class is made without arguments, and its `runAgent` called. */
function classSaid({ name, methods }: Exported, run: Run): Text {
  const className = name || "Agent";
  const lacks = methods.includes("runAgent") ? NOTHING : { es: ", que no tiene", en: ", which it does not have" };
  const ending = endingOf(run);
  // What says that there is no such method was thrown by the sandbox.
  const threw = wasTheirs(run) ? { es: ` Ahí ${ending.es}.`, en: ` There it ${ending.en}.` } : NOTHING;
  return {
    es: `\`${className}\` es una clase: la auditoría la crea con \`new ${className}()\`, sin argumentos, y llama a su método \`runAgent(userInput, tools)\`${lacks.es}.${threw.es}`,
    en: `\`${className}\` is a class: the audit makes one with \`new ${className}()\`, without arguments, and calls its method \`runAgent(userInput, tools)\`${lacks.en}.${threw.en}`,
  };
}

function exampleFor(entry: string, { is, name, methods }: Exported, run: Run): string | null {
  const method = [...USUAL, ...methods].find((each) => methods.includes(each)) ?? null;
  const value = entry === "default" ? "agent" : entry;
  if (is === "promise") return `${value}.then((run) => run(userInput))`;
  if (method === null) return null;
  if (is === "class") return `new ${name || "Agent"}(${wasTheirs(run) ? "{ … }" : ""}).${method}(userInput)`;
  if (is === "object") return `${value}.${method}(userInput)`;
  return null;
}

/** Whether the error came from a line of the file's own. */
function wasTheirs({ error }: Run): boolean {
  return error !== null && error.stack.length > 0;
}

/** How a run ended, in a few words and with the line, to be put after "your file", "your function" or "it". */
function endingOf(run: Run): Text {
  const words = run.outcome === "returned" ? returned(run) : howItEnded(run);
  const refused = run.outcome === "blocked" ? run.trace.findLast(({ type }) => type === "blocked") : undefined;
  const at = run.error?.stack[0] ?? run.at ?? (refused?.type === "blocked" ? refused.at : null);
  const place = at === null ? "" : ` (${at.file}:${at.line})`;
  return { es: `${words.es}${place}`, en: `${words.en}${place}` };
}

function returned({ trace }: Run): Text {
  const value = trace.find((event) => event.type === "settled")?.value ?? null;
  return value === null
    ? { es: "terminó sin devolver nada", en: "ended and returned nothing" }
    : { es: `devolvió ${json(value)} sin más`, en: `just returned ${json(value)}` };
}
