/** Looks for a conversation that a submission fails, and for the smallest one. */
import * as fc from "fast-check";
import type { FileCall, FileReply, ScenarioFile } from "../../model/scenario-file.ts";
import { callsIn, callsOf, conversations, keyOf, listCall, PLAIN_ANSWER, type Shape } from "./conversations.ts";
import { factsOf } from "./describe.ts";

export interface Search {
  /** What the conversations are drawn from: the exercise's own. */
  files: readonly ScenarioFile[];
  /** How many are drawn. */
  tries: number;
  seed: string;
}

/** What is drawn, in turn: what only a long or a wide conversation shows must not hang on luck. */
const SHAPES: readonly Shape[] = ["full", "short", "short"];

/** Conversations that may be played to make a failure smaller. Counted: a slow loop gets no smaller a share. */
const SHRINKS = 80;

/** The conversations that are drawn; none where there is nothing to draw from. */
export function draw({ files, tries, seed }: Search): ScenarioFile[] {
  return Array.from({ length: tries }, (_, n) => {
    const drawn = conversations(files, SHAPES[n % SHAPES.length]);
    return drawn === null ? [] : fc.sample(drawn, { seed: numberOf(`${seed}/${n}`), numRuns: 1 });
  }).flat();
}

/**
 * Plays the drawn conversations until one fails, then ever smaller ones.
 * The same seed and submission give the same conversation.
 * @param search.fails whether the submission fails this conversation
 * @returns the smallest that still fails; null when none did
 */
export async function smallest({
  fails,
  ...search
}: Search & { fails(file: ScenarioFile): Promise<boolean> }): Promise<ScenarioFile | null> {
  for (const file of draw(search)) if (await fails(file)) return shrunk(file, search.files, fails);
  return null;
}

/** Goes round what is smaller, and on from where one still failed: what did not matter before seldom does later. */
async function shrunk(
  drawn: ScenarioFile,
  files: readonly ScenarioFile[],
  fails: (file: ScenarioFile) => Promise<boolean>,
): Promise<ScenarioFile> {
  const own = ownCalls(files, drawn);
  let found = drawn;
  let next = smallerThan(found, own);
  for (let played = 0, at = 0, passed = 0; played < SHRINKS && passed < next.length; played += 1) {
    const file = next[at % next.length]!;
    if (await fails(file)) {
      found = file;
      next = smallerThan(found, own);
      passed = 0;
    } else {
      at += 1;
      passed += 1;
    }
  }
  return found;
}

/** The calls of the scenario that a conversation was drawn from, each once: those that return text, the plainest, come first. */
function ownCalls(files: readonly ScenarioFile[], drawn: ScenarioFile): FileCall[] {
  const worldOf = ({ userInput, vars }: ScenarioFile) => JSON.stringify([userInput, vars]);
  const calls = files.filter((file) => worldOf(file) === worldOf(drawn)).flatMap(callsOf);
  const unlike = new Map(calls.map((call) => [keyOf(call), call]));
  const remarks = (call: FileCall) => factsOf({ ...drawn, replies: [{ calls: [call] }] }).length;
  return [...unlike.values()].filter(({ invented }) => !invented).sort((a, b) => remarks(a) - remarks(b));
}

/** Every way to make a conversation smaller or plainer. It keeps its end, a turn, and a call in each. */
function smallerThan(file: ScenarioFile, own: readonly FileCall[]): ScenarioFile[] {
  const turns = file.replies.slice(0, -1) as FileReply[];
  const end = file.replies.at(-1) as FileReply;
  const withTurns = (changed: object[]) => ({ ...file, replies: [...changed, end] });
  const withCalls = (change: (call: FileCall, turn: number, place: number) => FileCall) =>
    withTurns(
      turns.map((reply, turn) => ({ ...reply, calls: callsIn(reply).map((call, place) => change(call, turn, place)) })),
    );
  const each = turns.flatMap((reply, turn) => callsIn(reply).map((call, place) => ({ call, turn, place })));
  const beside = turns.filter((reply) => callsIn(reply).length > 1);
  let count = 0;
  return [
    ...(turns.length > 1 ? turns.map((reply) => withTurns([reply])) : []),
    ...(turns.length > 1 ? turns.map((_, turn) => withTurns(turns.toSpliced(turn, 1))) : []),
    ...each
      .filter(({ turn }) => beside.includes(turns[turn]!))
      .map(({ turn, place }) =>
        withTurns(turns.with(turn, { ...turns[turn], calls: callsIn(turns[turn]!).toSpliced(place, 1) })),
      ),
    { ...file, replies: [...turns.map((reply) => ({ calls: callsIn(reply) })), { text: PLAIN_ANSWER }] },
    { ...file, replies: [...turns, { text: PLAIN_ANSWER }] },
    { ...file, replies: [...turns, { ...end, text: PLAIN_ANSWER }] },
    ...turns.flatMap((reply, turn) => [
      withTurns(turns.with(turn, { ...reply, text: undefined })),
      withTurns(turns.with(turn, { ...reply, thinking: undefined })),
    ]),
    withCalls(() => own[count++ % own.length]!),
    // Calls that are alike together: that they are may be what matters.
    ...each.map(({ call }) => withCalls((other) => (keyOf(other) === keyOf(call) ? own[0]! : other))),
    ...each.flatMap(({ call, turn, place }) =>
      [...own, listCall(own[0]!.does), { ...call, does: own[0]!.does }].map((instead) =>
        withCalls((other, t, p) => (t === turn && p === place ? instead : other)),
      ),
    ),
  ]
    .map((smaller): ScenarioFile => JSON.parse(JSON.stringify(smaller)))
    .filter((smaller) => isSmaller(sizeOf(smaller, own), sizeOf(file, own)));
}

/**
 * What counts of a conversation, the weightiest first: turns, calls, words, calls that come again (a loop may rightly wonder at
 * those), what else is remarkable in it, what its scenario has not.
 */
function sizeOf(file: ScenarioFile, own: readonly FileCall[]): number[] {
  const calls = file.replies.flatMap(callsIn);
  const words = (file.replies as FileReply[]).flatMap(({ text, thinking }) => [text, thinking]);
  const results = own.map(({ does }) => JSON.stringify(does));
  return [
    file.replies.length,
    calls.length,
    words.filter((text) => text !== undefined && JSON.stringify(text) !== JSON.stringify(PLAIN_ANSWER)).length,
    calls.length - new Set(calls.map(keyOf)).size,
    factsOf(file).length,
    calls.filter((call) => !own.some((other) => keyOf(other) === keyOf(call))).length,
    calls.filter(({ does }) => !results.includes(JSON.stringify(does))).length,
  ];
}

function isSmaller(one: readonly number[], other: readonly number[]): boolean {
  const first = one.findIndex((size, index) => size !== other[index]);
  return first !== -1 && one[first]! < other[first]!;
}

/** A seed as fast-check wants one. FNV-1a, 32 bits. */
function numberOf(seed: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
  return hash | 0;
}
