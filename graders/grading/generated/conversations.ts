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
const LONG = 2_500;

/**
 * What a drawn conversation is for. `full` has a turn more than any of the exercise's own, its calls each another as far as
 * there are enough; in one of them it asks for more at once, for one thing twice, and for that again in the next. What is
 * `short` is of any kind, and asks once.
 */
export type Shape = "full" | "short";

/**
 * Scripts made of a scenario's own calls; they end with an answer.
 * @param files the exercise's scenarios; those without a call to draw from, or without an end, are left out
 * @returns null when none is left
 */
export function conversations(
  files: readonly ScenarioFile[],
  shape: Shape = "short",
): fc.Arbitrary<ScenarioFile> | null {
  const worlds = files.filter((file) => file.endless === undefined && callsOf(file).length > 0);
  if (worlds.length === 0) return null;
  const turns = worlds.map(({ replies }) => replies.map(callsIn).filter(({ length }) => length > 0));
  const most = {
    turns: Math.min(TURNS, Math.max(...turns.map(({ length }) => length)) + 1),
    calls: Math.min(CALLS, Math.max(...turns.flat().map(({ length }) => length)) + 1),
  };
  // Where no scenario has two calls in a turn, that is still to be taught.
  const several = most.calls > 2;
  const richest = Math.max(...worlds.map((world) => unlikeCalls(world).length));
  const fit = shape === "full" ? worlds.filter((world) => unlikeCalls(world).length === richest) : worlds;
  return fc.oneof(...fit.map((world) => conversation(world, several, shape, most)));
}

function conversation(
  world: ScenarioFile,
  several: boolean,
  shape: Shape,
  most: { turns: number; calls: number },
): fc.Arbitrary<ScenarioFile> {
  const call = callFrom(world);
  const turn = (calls: fc.Arbitrary<FileCall[]>) =>
    fc.record({ calls, text: line(BESIDE), thinking: line(THINKING) }, { requiredKeys: ["calls"] });
  const words = fc.record({ text: line(BESIDE), thinking: line(THINKING) }, { requiredKeys: [] });
  const turns: Record<Shape, fc.Arbitrary<object[]>> = {
    short: fc.tuple(turn(several ? some(call) : fc.tuple(call))),
    full: fc
      .tuple(
        unlike(world, most.turns),
        exactly(words, most.turns),
        exactly(call, most.calls - 2),
        fc.nat(most.turns - 2),
      )
      .map(([each, beside, others, wide]) => {
        const asked = each.map((call) => [call]);
        if (several) asked[wide] = [each[wide]!, ...others, each[wide]!];
        asked[wide + 1] = [each[wide]!];
        return asked.map((calls, n) => ({ ...beside[n], calls }));
      }),
  };
  const end = fc.record({ text: line(ANSWER), thinking: line(THINKING) }, { requiredKeys: ["text"] });
  return fc.tuple(turns[shape], end).map(([asking, last]) => ({
    ...outside(world),
    tools: withList(world),
    replies: [...asking, last] as FileReply[],
  }));
}

/** So many calls, in any order: all of a world's before one comes again. */
function unlike(world: ScenarioFile, length: number): fc.Arbitrary<FileCall[]> {
  const calls = unlikeCalls(world);
  const fresh = Math.min(length, calls.length);
  return fc
    .tuple(
      fc.shuffledSubarray(calls, { minLength: fresh, maxLength: fresh }),
      exactly(fc.constantFrom(...calls), length - fresh),
    )
    .map((lists) => lists.flat());
}

/** A world's calls, each once, and the one without operands. */
function unlikeCalls(world: ScenarioFile): FileCall[] {
  const known = new Map(callsOf(world).map((call) => [keyOf(call), call]));
  return [...known.values(), listCall(RESULTS[0])];
}

/** What makes two calls the same. */
export function keyOf({ tool, input }: FileCall): string {
  return JSON.stringify([tool, input]);
}

function exactly<T>(item: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  return fc.array(item, { minLength: length, maxLength: length });
}

/** One to four, mostly no more than two. */
function some<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  const upTo = (maxLength: number) => fc.array(item, { minLength: 1, maxLength, size: "max" });
  return fc.oneof({ weight: 9, arbitrary: upTo(2) }, { weight: 1, arbitrary: upTo(CALLS) });
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

/** The call of that tool, which every drawn conversation may have. */
export function listCall(does: FileCall["does"]): FileCall {
  return { tool: LIST.name, input: {}, does };
}

function withList({ tools }: ScenarioFile): ScenarioFile["tools"] {
  return tools.some(({ name }) => name === LIST.name) ? tools : [...tools, LIST];
}

function callFrom(world: ScenarioFile): fc.Arbitrary<FileCall> {
  const known = callsOf(world);
  const free = known.filter(({ refuse, invented, does }) => !refuse && !invented && !mayFail(does));
  const short = fc.constantFrom<FileBehaviour>(...RESULTS, ...(returnsObjects(world) ? OBJECTS : []));
  const result = fc.oneof({ weight: 15, arbitrary: short }, { weight: 1, arbitrary: fc.constant(LONG_RESULT) });
  const arbitraries = [fc.constantFrom(...known), result.map(listCall)];
  if (free.length > 0) {
    arbitraries.push(fc.tuple(fc.constantFrom(...free), result).map(([call, does]) => ({ ...call, does })));
  }
  return fc.oneof(...arbitraries);
}

/** The calls of a scenario that can be drawn. */
export function callsOf(file: ScenarioFile): FileCall[] {
  return file.replies.flatMap((reply) => {
    // Half an input belongs to the reply that was cut off; drawn elsewhere it would be a call of its own.
    if ("fault" in reply || (reply.stopReason ?? "tool_use") !== "tool_use") return [];
    return callsIn(reply);
  });
}

/** The calls of one reply. */
export function callsIn(reply: ScenarioFile["replies"][number]): FileCall[] {
  return "calls" in reply ? (reply.calls ?? []) : [];
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

const RESULTS: readonly [FileBehaviour, ...FileBehaviour[]] = [
  { returns: "ok {{nonce}}" },
  { returns: "✓ año ñandú 東京 🌦️ \u202eabc\u202c {{nonce}}" },
  { returns: 'a "quoted" word, a \\ and\na new line {{nonce}}' },
];

/** What tells it stands first: a loop may cut a long result short. */
const LONG_RESULT: FileBehaviour = { returns: `{{nonce}} ${"0123456789".repeat(LONG / 10)}`, takesMs: 40 };

const OBJECTS: readonly FileBehaviour[] = [
  { returns: { state: "ok", note: "{{nonce}}", nested: { list: [1, 2.5, null, true] } } },
  { returns: ["one", "two {{nonce}}"] },
];

const BESIDE = [
  { es: "Voy a mirarlo. {{nonce}}", en: "I will have a look. {{nonce}}" },
  { es: "¡Un momento! 👀 {{nonce}}", en: "One moment! 👀 {{nonce}}" },
];
const THINKING = [{ es: "Necesito más datos. {{nonce}}", en: "I need more facts. {{nonce}}" }];
/** The plainest of the answers. */
export const PLAIN_ANSWER = { es: "Listo. {{nonce}}", en: "Done. {{nonce}}" };
const ANSWER = [
  PLAIN_ANSWER,
  { es: "Listo:\n- todo en orden ✓\n- {{nonce}}", en: "Done:\n- all is well ✓\n- {{nonce}}" },
];

function line(texts: readonly { es: string; en: string }[]): fc.Arbitrary<{ es: string; en: string }> {
  return fc.constantFrom(...texts);
}
