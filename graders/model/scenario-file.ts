import * as z from "zod";
import { LANGS, type Lang, type Text } from "../trace/text.ts";
import { formatPath, type Issue, type Path, type Problem, problemOf } from "./issue.ts";
import { stopReasonOf } from "./scenario.ts";
import { hasStrayBraces, type Json, placeholders } from "./template.ts";

// The only file that loads zod: loading it costs start-up time. Others import its types.

const text = z
  .union([z.string().min(1), z.strictObject({ es: z.string().min(1), en: z.string().min(1) })])
  .describe("A text, or one per language. {{name}} stands for a variable.");

const takesMs = z.int().min(0).describe("Virtual milliseconds it takes.").optional();

const behaviour = z.union([
  z.strictObject({
    returns: z
      .json()
      .describe("Any JSON; {es, en} pairs become one text. Exactly one of its strings holds {{nonce}}, once."),
    takesMs,
  }),
  z.strictObject({ throws: text.describe("The error's message. Holds {{nonce}} once."), takesMs }),
  z.strictObject({ hangs: z.literal(true).describe("It never answers.") }),
]);

const call = z.strictObject({
  tool: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,128}$/)
    .describe("A tool declared in `tools`, unless the call is invented."),
  input: z.record(z.string(), z.json()),
  does: z
    .union([behaviour, z.array(behaviour).min(1)])
    .describe("What the tool does: always, or on its first run, second run, … (the last repeats).")
    .optional(),
  refuse: z.literal(true).describe("The host must refuse this call and answer with an error result.").optional(),
  invented: z.literal(true).describe("The model makes this tool up: no such tool exists.").optional(),
});

const reply = z.strictObject({
  thinking: text.describe("Holds {{nonce}} once.").optional(),
  redacted: z.string().min(1).describe("Thinking handed out encrypted: this stands for it.").optional(),
  text: text.describe("Holds {{nonce}} once.").optional(),
  more: z.array(text).min(1).describe("Further text blocks, after the first. Each holds {{nonce}} once.").optional(),
  search: z
    .strictObject({ query: text, finds: text.describe("Holds {{nonce}} once.") })
    .describe("The model searches the web by itself. In a paused turn what it finds opens the next reply.")
    .optional(),
  calls: z.array(call).min(1).optional(),
  stopReason: z
    .enum([
      "end_turn",
      "tool_use",
      "max_tokens",
      "stop_sequence",
      "pause_turn",
      "refusal",
      "model_context_window_exceeded",
      "compaction",
    ])
    .or(z.strictObject({ unknown: z.string().regex(/^[a-z][a-z_]*$/) }))
    .describe("Left out: tool_use when there are calls, else end_turn. `unknown`: one that the API has not had so far.")
    .optional(),
});

const fault = z.strictObject({
  fault: z
    .literal([400, 401, 403, 413, 429, 500, 504, 529, "cut"])
    .describe("One HTTP attempt fails with this status. `cut`: a stream ends in the middle; without one, status 500."),
  midStream: z
    .literal(true)
    .describe("A stream begins well, then tells the error. Without a stream the status tells it.")
    .optional(),
  retryAfterMs: z
    .int()
    .min(1)
    .describe("Sent as retry-after-ms, and in whole seconds as retry-after; a client ignores 0.")
    .optional(),
});

const variable = z.union([
  z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .describe("The seed picks one."),
  z.strictObject({ from: z.int(), to: z.int() }).describe("The seed draws a whole number, both ends included."),
]);

const file = z
  .strictObject({
    $schema: z.string().optional(),
    title: text.describe("What it plays, in a few words."),
    vars: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), variable)
      .describe("Drawn by the seed, in every lap anew; {{name}} in the strings below.")
      .optional(),
    userInput: text.describe("What runAgent is called with."),
    tools: z.array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: text,
        input_schema: z
          .object({
            type: z.literal("object"),
            properties: z.record(z.string(), z.json()).optional(),
            required: z.array(z.string()).optional(),
          })
          .catchall(z.json()),
      }),
    ),
    replies: z.array(z.union([reply, fault])).min(1),
    options: z
      .strictObject({
        abortAfterMs: z.int().min(1).describe("Virtual milliseconds after which options.signal fires.").optional(),
        budget: z.int().min(1).describe("options.budget: tokens the conversation may use in all.").optional(),
      })
      .describe("What runAgent is given as its third argument.")
      .optional(),
    stuck: z.literal(true).describe("The model makes no progress: a loop should notice before its cap.").optional(),
    endless: z
      .strictObject({ from: z.int().min(0) })
      .describe("After the last reply the script goes on at this index. {{lap}} counts 1, 2, …")
      .optional(),
  })
  .describe("A scripted conversation: what the fake model says, and what each tool does.");

/** A scenario file that has been checked. */
export type ScenarioFile = z.infer<typeof file>;
export type FileReply = z.infer<typeof reply>;
export type FileFault = z.infer<typeof fault>;
export type FileCall = z.infer<typeof call>;
export type FileBehaviour = z.infer<typeof behaviour>;
export type FileVariable = z.infer<typeof variable>;

/** A scenario file that cannot be used. `message` is English; `text` has every language. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly file: string;
  /** Where in the file: `replies[0].calls[1].tool`. Empty for the whole. */
  readonly path: string;
  readonly text: Text;

  constructor(file: string, path: string, problem: Text) {
    const text = {
      es: `${file}${path && `, en ${path}`}: ${problem.es}`,
      en: `${file}${path && `, at ${path}`}: ${problem.en}`,
    };
    super(text.en);
    this.file = file;
    this.path = path;
    this.text = text;
  }
}

/**
 * Checks what a scenario file holds.
 * @param json the parsed file
 * @param name what to call the file in an error
 * @throws {ScenarioError} the first problem found: where it is, and what to do
 */
export function parseScenario(json: unknown, name: string): ScenarioFile {
  const parsed = file.safeParse(json);
  if (!parsed.success) {
    const { path, says } = closest(json, parsed.error.issues[0]!);
    throw new ScenarioError(name, formatPath(path), {
      es: `${says.es}. Corrígelo según fixtures/scenario.schema.json.`,
      en: `${says.en}. Correct it; fixtures/scenario.schema.json says what may stand here.`,
    });
  }
  crossCheck(parsed.data, (path, problem) => {
    throw new ScenarioError(name, formatPath(path), problem);
  });
  return parsed.data;
}

/** The JSON Schema that an editor checks scenario files with: what `fixtures/scenario.schema.json` holds. */
export function scenarioJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(file, { target: "draft-7", io: "input" });
}

type Fail = (path: Path, problem: Text) => never;

/** What the schema cannot say: references, placeholders, and that the script has an end. */
function crossCheck(scenario: ScenarioFile, fail: Fail): void {
  const tools = new Map<string, ScenarioFile["tools"][number]>();
  const known = new Set(["lap", ...Object.keys(scenario.vars ?? {})]);

  for (const [name, variable] of Object.entries(scenario.vars ?? {})) {
    const path = ["vars", name];
    if (name === "nonce" || name === "lap") {
      fail(path, {
        es: `{{${name}}} ya tiene un significado propio. Ponle otro nombre a la variable.`,
        en: `{{${name}}} has a meaning of its own. Give the variable another name.`,
      });
    }
    if (!Array.isArray(variable) && variable.from > variable.to) {
      fail(path, { es: "`from` es mayor que `to`. Inviértelos.", en: "`from` is larger than `to`. Swap them." });
    }
  }

  checkPlaceholders(scenario.userInput, ["userInput"], known, 0, fail);
  scenario.tools.forEach((tool, i) => {
    const path = ["tools", i];
    if (tools.has(tool.name)) {
      fail([...path, "name"], {
        es: `ya hay una herramienta "${tool.name}". Cambia uno de los dos nombres.`,
        en: `there already is a tool "${tool.name}". Rename one of the two.`,
      });
    }
    tools.set(tool.name, tool);
    checkPlaceholders(tool.description, [...path, "description"], known, 0, fail);
    checkPlaceholders(tool.input_schema, [...path, "input_schema"], known, 0, fail);
  });

  scenario.replies.forEach((entry, i) => {
    if (!("fault" in entry)) checkReply(entry, ["replies", i], scenario, i, tools, known, fail);
  });

  const last = scenario.replies.length - 1;
  if (scenario.endless) {
    if (scenario.endless.from > last) {
      fail(["endless", "from"], {
        es: `no hay replies[${scenario.endless.from}]. Elige un índice de 0 a ${last}.`,
        en: `there is no replies[${scenario.endless.from}]. Choose an index from 0 to ${last}.`,
      });
    }
  } else if ("fault" in scenario.replies[last]!) {
    fail(["replies", last], {
      es: "un guion no puede acabar en una falla del servidor. Añade después la respuesta que le sigue.",
      en: "a script cannot end in a server fault. Add the reply that follows it.",
    });
  }
}

function checkReply(
  entry: FileReply,
  path: Path,
  scenario: ScenarioFile,
  index: number,
  tools: ReadonlyMap<string, ScenarioFile["tools"][number]>,
  known: ReadonlySet<string>,
  fail: Fail,
): void {
  const calls = entry.calls ?? [];
  const stopReason = stopReasonOf(entry);
  const ends = stopReason === "end_turn" || stopReason === "stop_sequence" || typeof entry.stopReason === "object";
  const isLast = index === scenario.replies.length - 1;

  if (stopReason === "tool_use" && calls.length === 0) {
    fail([...path, "stopReason"], {
      es: "`tool_use` sin ninguna llamada. Añade `calls` o cambia `stopReason`.",
      en: "`tool_use` without a call. Add `calls` or change `stopReason`.",
    });
  }
  if (calls.length > 0 && (ends || stopReason === "pause_turn")) {
    fail([...path, "stopReason"], {
      es: `la API nunca pide herramientas con \`${stopReason}\`. Quita \`stopReason\` o quita \`calls\`.`,
      en: `the API never asks for tools with \`${stopReason}\`. Remove \`stopReason\` or remove \`calls\`.`,
    });
  }
  if (!scenario.endless && isLast && stopReason === "tool_use") {
    fail([...path, "calls"], {
      es: "la última respuesta no puede pedir herramientas. Añade después una respuesta sin `calls`, o `endless`.",
      en: "the last reply cannot ask for tools. Add a reply without `calls` after it, or `endless`.",
    });
  }
  if (ends && (scenario.endless || !isLast)) {
    fail(path, {
      es: "esta respuesta termina la conversación y lo que sigue nunca llega. Dale `calls` u otro `stopReason`, o quita lo que sigue.",
      en: "this reply ends the conversation and what follows is never reached. Give it `calls` or another `stopReason`, or remove what follows.",
    });
  }

  if (entry.search !== undefined) {
    checkPlaceholders(entry.search.query, [...path, "search", "query"], known, 0, fail);
    checkPlaceholders(entry.search.finds, [...path, "search", "finds"], known, 1, fail);
  }
  if (entry.thinking !== undefined) checkPlaceholders(entry.thinking, [...path, "thinking"], known, 1, fail);
  if (entry.text !== undefined) checkPlaceholders(entry.text, [...path, "text"], known, 1, fail);
  entry.more?.forEach((piece, m) => {
    checkPlaceholders(piece, [...path, "more", m], known, 1, fail);
  });
  if (entry.more !== undefined && entry.text === undefined) {
    fail([...path, "more"], {
      es: "falta `text`, el primer bloque de texto. Pon ahí el primero de `more`.",
      en: "`text`, the first text block, is missing. Put the first of `more` there.",
    });
  }
  calls.forEach((call, c) => {
    // A reply that was cut short may hold half an input; that is what it is there for.
    const whole = stopReason !== "max_tokens" && stopReason !== "model_context_window_exceeded";
    checkCall(call, [...path, "calls", c], tools, known, whole, fail);
  });
}

function checkCall(
  call: FileCall,
  path: Path,
  tools: ReadonlyMap<string, ScenarioFile["tools"][number]>,
  known: ReadonlySet<string>,
  whole: boolean,
  fail: Fail,
): void {
  const tool = tools.get(call.tool);
  if (!tool && !call.invented) {
    fail([...path, "tool"], {
      es: `no hay ninguna herramienta "${call.tool}". Declárala en \`tools\`, o marca la llamada con "invented": true.`,
      en: `there is no tool "${call.tool}". Declare it in \`tools\`, or mark the call "invented": true.`,
    });
  }
  if (tool && call.invented) {
    fail([...path, "invented"], {
      es: `la herramienta "${call.tool}" sí existe. Quita "invented", o inventa otro nombre.`,
      en: `the tool "${call.tool}" does exist. Remove "invented", or make up another name.`,
    });
  }
  for (const name of whole ? (tool?.input_schema.required ?? []) : []) {
    if (Object.hasOwn(call.input, name)) continue;
    fail([...path, "input"], {
      es: `falta "${name}", que "${call.tool}" exige. Añádelo, o quítalo de \`required\`.`,
      en: `"${name}" is missing, and "${call.tool}" requires it. Add it, or remove it from \`required\`.`,
    });
  }
  checkPlaceholders(call.input, [...path, "input"], known, 0, fail);

  if (call.does === undefined) {
    if (call.refuse || call.invented) return;
    fail(path, {
      es: "falta `does`. Di qué hace la herramienta: returns, throws o hangs.",
      en: "`does` is missing. Say what the tool does: returns, throws or hangs.",
    });
  }
  if (call.invented) {
    fail([...path, "does"], {
      es: "una herramienta inventada no hace nada. Quita `does`.",
      en: "an invented tool does nothing. Remove `does`.",
    });
  }
  const list = Array.isArray(call.does) ? call.does : [call.does];
  list.forEach((behaviour, b) => {
    const at = Array.isArray(call.does) ? [...path, "does", b] : [...path, "does"];
    if ("returns" in behaviour) checkPlaceholders(behaviour.returns, [...at, "returns"], known, 1, fail);
    if ("throws" in behaviour) checkPlaceholders(behaviour.throws, [...at, "throws"], known, 1, fail);
  });
}

/** That every `{{name}}` is declared, and `{{nonce}}` occurs exactly `nonces` times in each language. */
function checkPlaceholders(value: Json, path: Path, known: ReadonlySet<string>, nonces: number, fail: Fail): void {
  for (const lang of LANGS) {
    let found = 0;
    for (const [at, string] of strings(value, path, lang)) {
      if (hasStrayBraces(string)) {
        fail(at, {
          es: "llaves dobles que no encierran un nombre. Escribe {{nombre}}, sin espacios.",
          en: "double braces without a name between them. Write {{name}}, without spaces.",
        });
      }
      for (const name of placeholders(string)) {
        if (name === "nonce") found++;
        else if (!known.has(name)) {
          fail(at, {
            es: `{{${name}}} no está declarada. Añádela a \`vars\` o corrige el nombre.`,
            en: `{{${name}}} is not declared. Add it to \`vars\` or correct the name.`,
          });
        }
      }
    }
    if (found === nonces) continue;
    if (nonces === 0) {
      fail(path, {
        es: "{{nonce}} solo puede estar en `thinking`, `text`, `more`, `returns` y `throws`. Quítalo.",
        en: "{{nonce}} may only stand in `thinking`, `text`, `more`, `returns` and `throws`. Remove it.",
      });
    }
    fail(path, {
      es: `debe haber exactamente un {{nonce}} por idioma, y en "${lang}" hay ${found}: los textos se reconocen por él.`,
      en: `there must be exactly one {{nonce}} per language, and "${lang}" has ${found}: texts are recognised by it.`,
    });
  }
}

/** The strings of a JSON value as they read in one language, each with its path. */
function* strings(value: Json, path: Path, lang: Lang): Generator<[Path, string]> {
  if (typeof value === "string") yield [path, value];
  else if (Array.isArray(value)) for (const [i, child] of value.entries()) yield* strings(child, [...path, i], lang);
  else if (value !== null && typeof value === "object") {
    const keys = Object.keys(value);
    const localised = keys.length === 2 && typeof value.es === "string" && typeof value.en === "string";
    for (const key of localised ? [lang] : keys) yield* strings(value[key]!, [...path, key], lang);
  }
}

/** The problem to tell: of an entry of the script, what it lacks as the kind of entry that its keys say it is. */
function closest(json: unknown, first: Issue): Problem {
  const [key, index] = first.path;
  if (key === "replies" && typeof index === "number") {
    const entry = (json as { replies: unknown[] }).replies[index];
    const kind = typeof entry === "object" && entry !== null && Object.hasOwn(entry, "fault") ? fault : reply;
    const own = kind.safeParse(entry).error?.issues[0];
    if (own) return problemOf(json, own, [key, index]);
  }
  return problemOf(json, first);
}
