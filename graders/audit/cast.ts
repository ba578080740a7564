/** Writes the calls that the model makes in an audit, with the tools at hand. */
import { generateSync, type JsonSchema } from "json-schema-faker";
import type { FileCall, ScenarioFile } from "../model/scenario-file.ts";
import { createRandom } from "../model/seed.ts";
import type { Json } from "../model/template.ts";
import { isRecord } from "../trace/json.ts";
import type { Cast } from "./behaviour.ts";
import type { ToolsInUse } from "./report.ts";
import type { Settings } from "./settings.ts";

type Tool = ScenarioFile["tools"][number];
type Input = FileCall["input"];

/** The weather desk: what a loop that runs tools through `#harness` is given. */
export const KIT_TOOLS: Tool[] = [
  {
    name: "get_weather",
    description: { es: "El tiempo que hace ahora en una ciudad.", en: "The weather in a city right now." },
    input_schema: {
      type: "object",
      properties: {
        city: { type: "string", examples: ["Lima", "Montevideo", "Bogotá", "Quito", "La Paz", "Asunción"] },
      },
      required: ["city"],
    },
  },
  {
    name: "convert_temperature",
    description: { es: "Convierte grados Celsius a Fahrenheit.", en: "Converts degrees Celsius to Fahrenheit." },
    input_schema: {
      type: "object",
      properties: { celsius: { type: "integer", minimum: -20, maximum: 45 } },
      required: ["celsius"],
    },
  },
];

const PROMPT = {
  es: "Resuelve esto con lo que tengas a mano ({{ticket}}).",
  en: "Sort this out with what you have at hand ({{ticket}}).",
};

/** How many seeds are tried for an input that has not been written yet. */
const TRIES = 40;

/**
 * @param options.definitions the tools of the first request, for a loop that has its own
 * @param options.settings inputs that are given for a tool come before any that is made from its schema
 */
export function castFor({
  seed,
  tools,
  definitions,
  settings,
}: {
  seed: string;
  tools: ToolsInUse;
  definitions: readonly Tool[];
  settings: Pick<Settings, "inputs">;
}): Cast {
  const random = createRandom(`${seed}/cast`);
  const offered = tools.kind === "kit" ? KIT_TOOLS : [...definitions];
  const callable = offered.filter(({ name }) => tools.list.some((tool) => tool.name === name && tool.called));
  const written = new Set<string>();
  let calls = 0;

  const next = (): { tool: Tool; input: Input } | null => {
    const tool = callable[calls % callable.length];
    if (tool === undefined) return null;
    const turn = Math.floor(calls / callable.length);
    calls += 1;
    const given = settings.inputs[tool.name];
    return { tool, input: given ? (given[turn % given.length] as Input) : fresh(tool) };
  };

  const fresh = (tool: Tool): Input => {
    let input: Input = {};
    for (let tries = 0; tries < TRIES; tries++) {
      input = inputFor(tool, random.int(1, 2 ** 30));
      if (!written.has(`${tool.name} ${JSON.stringify(input)}`)) break;
    }
    written.add(`${tool.name} ${JSON.stringify(input)}`);
    return input;
  };

  const answered = ({ tool, input }: { tool: Tool; input: Input }): FileCall => ({
    tool: tool.name,
    input,
    does: { returns: { es: `${tool.name}: hecho ({{nonce}})`, en: `${tool.name}: done ({{nonce}})` } },
  });

  const withCall = (make: (call: { tool: Tool; input: Input }) => FileCall) => () => {
    const call = next();
    return call && make(call);
  };

  return {
    tools: offered,
    call: withCall(answered),
    again: (call) => {
      const tool = callable.find(({ name }) => name === call.tool)!;
      const given = settings.inputs[tool.name] as Input[] | undefined;
      const other = given?.find((input) => JSON.stringify(input) !== JSON.stringify(call.input)) ?? given?.[0];
      return answered({ tool, input: other ?? fresh(tool) });
    },
    failingCall:
      tools.kind === "own"
        ? () => null
        : withCall(({ tool, input }) => ({
            tool: tool.name,
            input,
            does: {
              throws: { es: `${tool.name}: sin conexión ({{nonce}})`, en: `${tool.name}: no connection ({{nonce}})` },
            },
          })),
    cutCall: withCall(({ tool, input }) => ({
      tool: tool.name,
      input: cutShort(input),
      does: { returns: { es: "hecho a medias ({{nonce}})", en: "half done ({{nonce}})" } },
    })),
    inventedCall: () => ({ tool: madeUpName(offered), input: {}, invented: true }),
    script: (title, replies, more = {}) => ({
      title,
      vars: { ticket: { from: 1000, to: 9999 } },
      userInput: PROMPT,
      tools: offered,
      replies,
      ...more,
    }),
  };
}

/** An input that a schema allows: an example, a default or an enum where it has one. */
function inputFor({ input_schema: schema }: Tool, seed: number): Input {
  let made: unknown;
  try {
    made = generateSync(schema as JsonSchema, {
      seed,
      useExamplesValue: true,
      useDefaultValue: true,
      alwaysFakeOptionals: false,
      optionalsProbability: 0,
      failOnInvalidTypes: false,
      validateSchemaVersion: false,
    });
  } catch {
    // A schema the library cannot read (a remote $ref, say): inputs can be given in audit.json.
    made = {};
  }
  const isObject = typeof made === "object" && made !== null && !Array.isArray(made);
  return isObject ? (withoutBraces({ ...defaultsOf(schema), ...(made as object) } as Json) as Input) : {};
}

/** What a library that reads the input by the schema fills in: written out, so that the tool gets just what was asked for. */
function defaultsOf({ properties = {} }: Tool["input_schema"]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, unknown>).flatMap(([name, property]) =>
      isRecord(property) && "default" in property ? [[name, property.default]] : [],
    ),
  );
}

/** Double braces mean a variable in a scenario. */
function withoutBraces(value: Json): Json {
  if (typeof value === "string") return value.replace(/\{\{/g, "{ {").replace(/\}\}/g, "} }");
  if (Array.isArray(value)) return value.map(withoutBraces);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBraces(inner)]));
}

/** What is there of an input when the reply ends in the middle of it: the last field half written, or gone. */
function cutShort(input: Input): Input {
  const fields = Object.entries(input);
  const last = fields.pop();
  if (last === undefined) return {};
  const [key, value] = last;
  const rest = Object.fromEntries(fields);
  return typeof value === "string" && value.length > 1
    ? { ...rest, [key]: value.slice(0, Math.ceil(value.length / 2)) }
    : rest;
}

function madeUpName(tools: readonly Tool[]): string {
  const taken = new Set(tools.map(({ name }) => name));
  return ["look_up_forecast", "search_archive", "ask_the_oracle"].find((name) => !taken.has(name)) ?? "no_such_tool";
}
