/** What a student's import means: a file of the submission, something the child provides, or nothing it may reach. */
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import type { Text } from "../../trace/text.ts";
import type { Submission } from "../intake.ts";
import type { Refusal } from "./program.ts";
import { nearest, quoted } from "./wording.ts";

export type Resolved =
  | { kind: "file"; name: string }
  /** Left in the module for the child to import. */
  | { kind: "external"; url: string }
  | { kind: "refused"; refusal: Refusal };

export interface Providers {
  /** URL of the module that serves `#harness`, `#guard` and the SDK. */
  runtimeUrl: string;
  /** Further bare specifiers, and the URL the child imports for each. */
  allow: Readonly<Record<string, string>>;
}

const SDK = "@anthropic-ai/sdk";
/** The second has what `toolRunner` is given: `betaTool`. */
const SERVED = ["#harness", "#guard", SDK, `${SDK}/helpers/beta/json-schema`];

/**
 * Node's own modules that load. Those that reach the file system or the network load too: the sandbox refuses what
 * they do when they do it, and then the student is told what was refused.
 */
const NODE_MODULES = new Set([
  ...[
    "assert",
    "assert/strict",
    "async_hooks",
    "buffer",
    "console",
    "constants",
    "crypto",
    "diagnostics_channel",
    "events",
  ],
  ...[
    "os",
    "path",
    "path/posix",
    "path/win32",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "readline/promises",
  ],
  ...[
    "stream",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "string_decoder",
    "timers",
    "timers/promises",
    "tty",
  ],
  ...["url", "util", "util/types", "zlib"],
  ...["fs", "fs/promises", "dgram", "dns", "dns/promises", "http", "http2", "https", "net", "tls"],
]);

const EXTENSIONS = [".ts", ".mts", ".js", ".mjs", ".json"];
/** TypeScript lets an import name the JavaScript that a file would become. */
const WRITTEN_AS: Readonly<Record<string, string>> = { ".js": ".ts", ".mjs": ".mts" };

/**
 * @param specifier as written
 * @param importer name of the file it stands in
 * @param required it stands in a `require()`, which reaches nothing but the submission's own files
 */
export function resolveImport(
  specifier: string,
  importer: string,
  required: boolean,
  submission: Submission,
  { runtimeUrl, allow }: Providers,
): Resolved {
  if (/^\.\.?(\/|$)/.test(specifier)) return resolveFile(specifier, importer, submission);
  if (/^([a-z][a-z\d+.-]*:|[\\/])/i.test(specifier) && !specifier.startsWith("node:"))
    return refused(elsewhere(specifier));
  const url = SERVED.includes(specifier)
    ? runtimeUrl
    : Object.hasOwn(allow, specifier)
      ? allow[specifier]
      : nodeModule(specifier);
  if (url !== undefined) return required ? refused(requiredModule(specifier)) : { kind: "external", url };
  return refused(unavailable(specifier, submission, Object.keys(allow)));
}

function nodeModule(specifier: string): string | undefined {
  const name = specifier.replace(/^node:/, "");
  return NODE_MODULES.has(name) ? `node:${name}` : undefined;
}

function resolveFile(specifier: string, importer: string, submission: Submission): Resolved {
  const path = posix.normalize(posix.join(posix.dirname(importer), specifier));
  if (path === ".." || path.startsWith("../")) return refused(outside(specifier));
  const names = new Set(submission.files.map(({ name }) => name));
  const candidates = candidatesFor(path.replace(/\/$/, ""));
  const found = candidates.find((candidate) => names.has(candidate));
  if (found !== undefined) return { kind: "file", name: found };
  const bad = submission.refused.find(({ name }) => candidates.some((it) => it === name || it.startsWith(`${name}/`)));
  if (bad !== undefined) return refused(refusedFile(bad.name, bad.why));
  return refused(missing(specifier, path, importer, submission));
}

function candidatesFor(path: string): string[] {
  const extension = posix.extname(path);
  const written = WRITTEN_AS[extension];
  return [
    path,
    ...(written ? [path.slice(0, -extension.length) + written] : []),
    ...EXTENSIONS.map((it) => path + it),
    ...EXTENSIONS.map((it) => `${path === "." ? "" : `${path}/`}index${it}`),
  ];
}

function refused(refusal: Refusal): Resolved {
  return { kind: "refused", refusal };
}

function outside(specifier: string): Refusal {
  return {
    headline: {
      es: `${quoted(specifier)} queda fuera de la carpeta del ejercicio.`,
      en: `${quoted(specifier)} is outside the exercise's folder.`,
    },
    detail: {
      es: "Tu programa se ejecuta solo con los archivos de esa carpeta; nada de fuera llega a él.",
      en: "Your program runs with the files of that folder alone; nothing outside reaches it.",
    },
    next: {
      es: "Copia ese archivo en la carpeta e impórtalo con `./`.",
      en: "Copy that file into the folder and import it with `./`.",
    },
    at: null,
  };
}

function elsewhere(specifier: string): Refusal {
  return {
    headline: {
      es: `No se puede importar ${quoted(specifier)}.`,
      en: `${quoted(specifier)} cannot be imported.`,
    },
    detail: {
      es: "Una ruta absoluta o una URL lleva fuera de la carpeta del ejercicio.",
      en: "An absolute path or a URL leads out of the exercise's folder.",
    },
    next: REACHABLE,
    at: null,
  };
}

function requiredModule(specifier: string): Refusal {
  return {
    headline: {
      es: `\`require\` no sirve para ${quoted(specifier)}: tu archivo es un módulo ES.`,
      en: `\`require\` cannot load ${quoted(specifier)}: your file is an ES module.`,
    },
    detail: {
      es: "Los módulos ES se cargan con `import`; en ellos `require` no existe.",
      en: "ES modules are loaded with `import`; they have no `require`.",
    },
    next: {
      es: `Escríbelo como \`import … from ${JSON.stringify(specifier)}\`.`,
      en: `Write it as \`import … from ${JSON.stringify(specifier)}\`.`,
    },
    at: null,
  };
}

function unavailable(specifier: string, submission: Submission, allowed: readonly string[]): Refusal {
  if (specifier.startsWith(`${SDK}/`)) {
    return {
      headline: {
        es: `Del SDK solo se importa \`${SDK}\`.`,
        en: `Only \`${SDK}\` itself can be imported from the SDK.`,
      },
      detail: {
        es: `${quoted(specifier)} es una parte del paquete que el ejercicio no ofrece; para un tipo basta \`import type\`.`,
        en: `${quoted(specifier)} is a part of the package that the exercise does not provide; for a type, \`import type\` is enough.`,
      },
      next: {
        es: `Usa \`import Anthropic from "${SDK}"\`: los tipos están en \`Anthropic.…\`.`,
        en: `Use \`import Anthropic from "${SDK}"\`: the types are in \`Anthropic.…\`.`,
      },
      at: null,
    };
  }
  if (isBuiltin(specifier)) {
    return {
      headline: {
        es: `El módulo ${quoted(specifier)} no está disponible en un ejercicio.`,
        en: `The module ${quoted(specifier)} is not available in an exercise.`,
      },
      detail: {
        es: "Un bucle de agente no lo necesita: habla con el modelo y ejecuta herramientas por medio de `#harness`.",
        en: "An agent loop does not need it: it talks to the model and runs tools through `#harness`.",
      },
      next: {
        es: "Quita ese `import` y lo que lo usa.",
        en: "Take out that `import` and what uses it.",
      },
      at: null,
    };
  }
  const packages = ["#harness", SDK, ...allowed].map((name) => `\`${name}\``).join(", ");
  return {
    headline: {
      es: `${quoted(specifier)} no está disponible en un ejercicio.`,
      en: `${quoted(specifier)} is not available in an exercise.`,
    },
    detail: {
      es: `Hay ${packages} y módulos de Node como \`node:assert\`; ningún otro paquete, esté instalado o no.`,
      en: `There are ${packages} and modules of Node such as \`node:assert\`; no other package, installed or not.`,
    },
    next: meant(specifier, submission) ?? REACHABLE,
    at: null,
  };
}

/** A forgotten `./`, or a slip in one of the names that exist. */
function meant(specifier: string, submission: Submission): Text | null {
  const file = candidatesFor(specifier).find((it) => submission.files.some(({ name }) => name === it));
  const guess = file
    ? `./${file}`
    : nearest(
        specifier,
        SERVED.filter((name) => name !== "#guard"),
      );
  return guess ? { es: `¿Querías decir \`${guess}\`?`, en: `Did you mean \`${guess}\`?` } : null;
}

function refusedFile(name: string, why: Text): Refusal {
  return {
    headline: { es: `No se puede usar el archivo ${quoted(name)}.`, en: `The file ${quoted(name)} cannot be used.` },
    detail: why,
    next: {
      es: "Corrige el archivo, o quita el `import` que lo pide.",
      en: "Mend the file, or take out the `import` that asks for it.",
    },
    at: null,
  };
}

function missing(specifier: string, path: string, importer: string, submission: Submission): Refusal {
  const others = submission.files.map(({ name }) => name).filter((name) => name !== importer);
  const withoutExtension = new Map(others.map((name) => [name.replace(/\.\w+$/, ""), name]));
  const close = nearest(path, others) ?? withoutExtension.get(nearest(path, [...withoutExtension.keys()]) ?? "");
  const relative = close && posix.relative(posix.dirname(importer), close);
  const guess = relative && (relative.startsWith(".") ? relative : `./${relative}`);
  return {
    headline: { es: `No existe el archivo ${quoted(specifier)}.`, en: `There is no file ${quoted(specifier)}.` },
    detail: {
      es: `Lo pide ${quoted(importer)}, y no está en la carpeta del ejercicio.`,
      en: `${quoted(importer)} asks for it, and it is not in the exercise's folder.`,
    },
    next: guess
      ? { es: `¿Querías decir \`${guess}\`?`, en: `Did you mean \`${guess}\`?` }
      : {
          es: "Crea el archivo, o corrige la ruta del `import`.",
          en: "Create the file, or correct the path in the `import`.",
        },
    at: null,
  };
}

const REACHABLE: Text = {
  es: `Importa archivos tuyos con \`./\`, o \`#harness\`, \`${SDK}\` y módulos \`node:\`.`,
  en: `Import files of your own with \`./\`, or \`#harness\`, \`${SDK}\` and \`node:\` modules.`,
};
