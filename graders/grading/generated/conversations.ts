/**
 * Conversations drawn at random, in the world of an exercise's own scenarios: their tools, their calls, their prompts.
 * They ask nothing of a loop that those scenarios do not ask already, only in other numbers and another order.
 */
import * as fc from "fast-check";
import type { FileBehaviour, FileCall, FileReply, ScenarioFile } from "../../model/scenario-file.ts";

/** Most turns that ask for tools, and most calls in one of them. */
const TURNS = 7;
const CALLS = 4;

/** Characters of a long output: more than a terminal's page. */
const LONG = 4_000;

/**
 * Scripts made of a scenario's own calls; they end with an answer. Simple ones come first when a failure is shrunk: few
 * turns, few calls, no text, no thinking, results as the scenario has them.
 * @param files the exercise's scenarios; those without a call to draw from, or without an end, are left out
 * @returns null when none is left
 */
export function conversations(files: readonly ScenarioFile[]): fc.Arbitrary<ScenarioFile> | null {
  const worlds = files.filter((file) => file.endless === undefined && callsOf(file).length > 0);
  if (worlds.length === 0) return null;
  // Where no scenario has two calls in a turn, that is still to be taught.
  const several = worlds.some(({ replies }) =>
    replies.some((reply) => "calls" in reply && (reply.calls ?? []).length > 1),
  );
  return fc.oneof({ withCrossShrink: true }, ...worlds.map((world) => conversation(world, several)));
}

function conversation(world: ScenarioFile, several: boolean): fc.Arbitrary<ScenarioFile> {
  const turn = fc.record(
    {
      calls: several ? few(callIn(world), 1, 2, CALLS) : fc.tuple(callIn(world)),
      text: line(BESIDE),
      thinking: line(THINKING),
    },
    { requiredKeys: ["calls"] },
  );
  const end = fc.record({ text: line(ANSWER), thinking: line(THINKING) }, { requiredKeys: ["text"] });
  return fc
    .tuple(few(turn, 1, 2, TURNS), end)
    .map(([turns, last]) => ({ ...outside(world), tools: withList(world), replies: [...turns, last] as FileReply[] }));
}

/** A list that is mostly short: long ones cost time, and find little that short ones do not. */
function few<T>(item: fc.Arbitrary<T>, least: number, usual: number, most: number): fc.Arbitrary<T[]> {
  // Both go down to `least`: a failure is made as small in either.
  return fc.oneof(
    { weight: 14, arbitrary: fc.array(item, { minLength: least, maxLength: usual, size: "max" }) },
    { weight: 1, arbitrary: fc.array(item, { minLength: least, maxLength: most, size: "max" }) },
  );
}

/** All of a scenario but what is drawn. */
function outside({ title, vars, userInput, options }: ScenarioFile): Omit<ScenarioFile, "tools" | "replies"> {
  return { title, userInput, ...(vars ? { vars } : {}), ...(options ? { options } : {}) };
}

/** A tool without operands: its input is `{}`, and a stream has nothing to say of it. */
const LIST = {
  name: "list_everything",
  description: { es: "Lista todo lo que hay.", en: "Lists all there is." },
  input_schema: { type: "object" as const, properties: {} },
};

function withList({ tools }: ScenarioFile): ScenarioFile["tools"] {
  return tools.some(({ name }) => name === LIST.name) ? tools : [...tools, LIST];
}

function callIn(world: ScenarioFile): fc.Arbitrary<FileCall> {
  const known = callsOf(world);
  const free = known.filter(({ refuse, invented, does }) => !refuse && !invented && !mayFail(does));
  const short = fc.constantFrom<FileBehaviour>(...RESULTS, ...(returnsObjects(world) ? OBJECTS : []));
  const result = fc.oneof({ weight: 8, arbitrary: short }, { weight: 1, arbitrary: fc.constant(LONG_RESULT) });
  const arbitraries = [
    fc.constantFrom(...known),
    result.map((does): FileCall => ({ tool: LIST.name, input: {}, does })),
  ];
  if (free.length > 0) {
    arbitraries.push(fc.tuple(fc.constantFrom(...free), result).map(([call, does]) => ({ ...call, does })));
  }
  return fc.oneof({ withCrossShrink: true }, ...arbitraries);
}

function callsOf(file: ScenarioFile): FileCall[] {
  return file.replies.flatMap((reply) => {
    // Half an input belongs to the reply that was cut off; drawn elsewhere it would be a call of its own.
    if ("fault" in reply || (reply.stopReason ?? "tool_use") !== "tool_use") return [];
    return reply.calls ?? [];
  });
}

function mayFail(does: FileCall["does"]): boolean {
  return behaviours(does).some((each) => !("returns" in each));
}

/** Whether the exercise has tools that return more than text: then those drawn may, too. */
function returnsObjects(file: ScenarioFile): boolean {
  return callsOf(file)
    .flatMap(({ does }) => behaviours(does))
    .some((each) => "returns" in each && typeof each.returns === "object" && !isText(each.returns));
}

function behaviours(does: FileCall["does"]): readonly FileBehaviour[] {
  if (does === undefined) return [];
  return Array.isArray(does) ? does : [does];
}

function isText(value: unknown): boolean {
  return typeof value === "object" && value !== null && "es" in value && "en" in value;
}

const RESULTS: readonly FileBehaviour[] = [
  { returns: "ok {{nonce}}" },
  { returns: "✓ año ñandú 東京 🌦️ \u202eabc\u202c {{nonce}}" },
  { returns: 'a "quoted" word, a \\ and\na new line {{nonce}}' },
];

const LONG_RESULT: FileBehaviour = { returns: `${"0123456789".repeat(LONG / 10)} {{nonce}}`, takesMs: 40 };

const OBJECTS: readonly FileBehaviour[] = [
  { returns: { state: "ok", note: "{{nonce}}", nested: { list: [1, 2.5, null, true] } } },
  { returns: ["one", "two {{nonce}}"] },
];

const BESIDE = [
  { es: "Voy a mirarlo. {{nonce}}", en: "I will have a look. {{nonce}}" },
  { es: "¡Un momento! 👀 {{nonce}}", en: "One moment! 👀 {{nonce}}" },
];
const THINKING = [{ es: "Necesito más datos. {{nonce}}", en: "I need more facts. {{nonce}}" }];
const ANSWER = [
  { es: "Listo. {{nonce}}", en: "Done. {{nonce}}" },
  { es: "Listo:\n- todo en orden ✓\n- {{nonce}}", en: "Done:\n- all is well ✓\n- {{nonce}}" },
];

function line(texts: readonly { es: string; en: string }[]): fc.Arbitrary<{ es: string; en: string }> {
  return fc.constantFrom(...texts);
}
