/** How runs end that do not return, in the audit's own words: no id of an outcome is one. */
import { diagnose } from "../diagnoses/catalog/catalog.ts";
import { cut, errorSaid } from "../diagnoses/words/words.ts";
import type { ThrownError, Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";

/** A thrown error by name and message: of one that holds what the API answered, what the API says in it, and not its JSON. */
export function thrownSaid(error: ThrownError, limit?: number): Text {
  const { status, type, message } = API_ANSWER.exec(error.message)?.groups ?? {};
  return errorSaid(
    message === undefined ? error : { ...error, message: `${status} ${type}: ${unquoted(message)}` },
    limit,
  );
}

/** As the SDK puts it: the status, and the body as it came. */
const API_ANSWER =
  /^(?<status>\d{3}) \{"type":"error","error":\{.*?"type":"(?<type>\w+)".*?"message":"(?<message>(?:[^"\\]|\\.)*)"/s;

/** The text in a JSON string; its quotes made single, so that they do not seem to end the one it is told in. */
function unquoted(json: string): string {
  return String(JSON.parse(`"${json}"`)).replaceAll('"', "'");
}

/** Hosts that a run was refused. */
export function hostsIn(trace: Trace): string[] {
  const hosts = trace.flatMap((event) =>
    event.type === "blocked" && event.what === "network" ? [event.detail.split(" ").at(-1) ?? event.detail] : [],
  );
  return [...new Set(hosts)];
}

/**
 * How a run ended that did not return, in a few words, to be put after "the loop", "your file" or "it". Without the line: what
 * is told beside it may have one.
 */
export function howItEnded(run: Run): Text {
  const { outcome, kind, error, measured } = run;
  const said = error && thrownSaid(error);
  if (outcome === "threw") {
    if (error === null) return { es: "lanzó un error", en: "threw an error" };
    // Of a program all that there may be is its exit code, and what it last said.
    const exit = /^exit (\d+)$/.exec(error.name)?.[1];
    if (exit === undefined) return { es: `lanzó ${said?.es}`, en: `threw ${said?.en}` };
    const words = cut(error.message, 240);
    return {
      es: `terminó con el código de salida ${exit}${words && `, y lo último que dijo fue «${words}»`}`,
      en: `ended with exit code ${exit}${words && `, and the last it said was "${words}"`}`,
    };
  }
  if (kind === "uncaught") {
    return {
      es: `dejó escapar un error que nadie esperaba${said ? `, ${said.es}` : ""}`,
      en: `let an error escape that nobody was waiting for${said ? `, ${said.en}` : ""}`,
    };
  }
  if (kind === "out-of-time") {
    const seconds = Number(((measured.limitMs ?? run.ms) / 1000).toPrecision(2));
    return {
      es: `seguía sin terminar a los ${seconds} s, el límite (se cambia con BUCLE_TIME_LIMIT_MS)`,
      en: `had not finished after ${seconds} s, the limit (BUCLE_TIME_LIMIT_MS changes it)`,
    };
  }
  if (kind === "network") {
    const hosts = hostsIn(run.trace).join(", ");
    return {
      es: `quiso salir a la red${hosts && `, a ${hosts}`}`,
      en: `tried to use the network${hosts && `, to reach ${hosts}`}`,
    };
  }
  if (kind === "busy-loop") return spun(run);
  if (kind === "idle-loop") {
    return {
      es: `esperó ${measured.timers} veces seguidas (\`setTimeout\` o parecido) sin pedirle nada a nadie`,
      en: `waited ${measured.timers} times in a row (\`setTimeout\` or the like) and asked nobody for anything`,
    };
  }
  if (kind === "exited" && measured.brokenChannel === 1) return CUT_OFF;
  const known = ENDINGS[kind ?? ""];
  if (known !== undefined) return known;
  const headline = diagnose(run)[0]?.headline;
  return {
    es: `siguió sin fin${headline ? ` («${headline.es}»)` : ""}`,
    en: `went on without end${headline ? ` ("${headline.en}")` : ""}`,
  };
}

function spun({ measured: { passes, cpuMs = 0 } }: Run): Text {
  const seconds = (cpuMs / 1000).toFixed(1);
  return passes === undefined
    ? {
        es: `gastó ${seconds} s de procesador sin esperar nada`,
        en: `used ${seconds} s of processor time and waited for nothing`,
      }
    : {
        es: `dio ${passes.toLocaleString("es-MX")} vueltas en un bucle que no espera nada`,
        en: `went round ${passes.toLocaleString("en-US")} times in a loop that waits for nothing`,
      };
}

const CUT_OFF: Text = {
  es: "cortó el canal por el que la auditoría habla con su proceso (el descriptor de archivo 3)",
  en: "cut the channel through which the audit talks to its process (file descriptor 3)",
};

const ENDINGS: Readonly<Record<string, Text>> = {
  asides: {
    es: "no dejó de preguntarle al modelo otra cosa, fuera de la conversación",
    en: "never stopped asking the model something else, beside the conversation",
  },
  exited: { es: "apagó el proceso entero", en: "shut the whole process down" },
  "never-settles": {
    es: "se quedó esperando (`await`) una promesa que nadie va a cumplir",
    en: "was left waiting (`await`) for a promise that nobody will keep",
  },
  "out-of-memory": { es: "llenó toda la memoria que tenía", en: "filled all the memory it had" },
  filesystem: { es: "quiso leer o escribir archivos", en: "tried to read or write files" },
  process: { es: "quiso lanzar o parar un proceso o un hilo", en: "tried to start or stop a process or a thread" },
};
