import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { nameOf } from "./patterns.ts";
import {
  bare,
  isFunction,
  isNode,
  modelCalls,
  type Node,
  nodesIn,
  type ParsedFile,
  parsed,
  spotOf,
  walk,
} from "./syntax.ts";

/** How a conversation ended: the `stop_reason` of the last reply, and what `runAgent` returned. */
interface End {
  stopReason: string | null;
  value: unknown;
}

/**
 * The `return` by which `runAgent` came to its end; where the loop before that can only have been left by one `break`, the
 * `break`.
 * @returns null where several lines may have ended it, or none is plain
 */
export function wayOut(source: Source, end: End): Spot | null {
  const way = wayOf(source, end);
  return way === null ? null : spotOf(way.file, (way.by ?? way.last).start);
}

/**
 * What ended a loop too soon: its own condition, where nothing else can have, or the `if` where a loop belongs; else the way out.
 * @returns null where there is no plain way out
 */
export function cutShort(source: Source, end: End): Spot | null {
  const way = wayOf(source, end);
  if (way === null) return null;
  return spotOf(way.file, (way.by ?? endedByItself(way, end) ?? way.last).start);
}

/** How a run left the function. */
interface Way {
  file: ParsedFile;
  agent: Node;
  taken: readonly Place[];
  /** The `return` it came to. */
  last: Node;
  /** The one `break` that led there. */
  by: Node | undefined;
}

function wayOf(source: Source, end: End): Way | null {
  const found = parsed(source).flatMap((file) => {
    const agent = agentIn(file);
    return agent === null ? [] : [{ file, agent }];
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return null;
  const { file, agent } = only;
  const asksModel = modelCalls(file);
  const taken = ownNodes(agent, ({ type }) => type === "ReturnStatement" || type === "BreakStatement").filter((exit) =>
    mayBeTaken(exit.above, end, asksModel),
  );
  // A loop that went on with such a reply is left by what is in it, and a `return` after it by way of a `break`.
  const unending = ownNodes(agent, (node) => LOOPS.includes(node.type)).flatMap(({ node: loop }) =>
    goesOn(loop, end) ? [{ loop, breaks: taken.filter(({ node, above }) => leaves(node, above, loop)) }] : [],
  );
  const before = (node: Node) => unending.filter(({ loop }) => loop.end <= node.start);
  const returns = taken.filter(
    ({ node }) =>
      node.type === "ReturnStatement" && mayGive(node, end) && before(node).every(({ breaks }) => breaks.length > 0),
  );
  const [last, ...more] = returns;
  if (last === undefined || more.length > 0 || isHandedOn(last.node, asksModel)) return null;
  const [left, ...twice] = before(last.node);
  const by = left !== undefined && twice.length === 0 && left.breaks.length === 1 ? left.breaks[0]?.node : undefined;
  return { file, agent, taken, last: last.node, by };
}

/** The one loop before a `return` that asks the model and can only have ended by its condition; without a loop, the one `if`. */
function endedByItself({ file, agent, taken, last }: Way, end: End): Node | null {
  const asksModel = modelCalls(file);
  const asking = (types: readonly string[]) =>
    ownNodes(agent, (node) => types.includes(node.type) && nodesIn(node, asksModel).length > 0).map(({ node }) => node);
  const loops = asking(LOOPS);
  const [only, ...others] =
    loops.length > 0 ? loops : asking(["IfStatement"]).filter(({ alternate }) => !isNode(alternate));
  if (only === undefined || others.length > 0 || only.end > last.start) return null;
  if (loops.length === 0) return only;
  const left = taken.some(({ node, above }) => leaves(node, above, only));
  if (left || goesOn(only, end) || !isNode(only.test)) return null;
  return only.type === "DoWhileStatement" ? only.test : only;
}

interface Place {
  node: Node;
  /** The way down to it, from the function. */
  above: readonly Node[];
}

/** The function of a file that is `runAgent`, if it asks the model itself; null where something else does. */
function agentIn(file: ParsedFile): Node | null {
  const agents: Node[] = [];
  walk(file.program, (node, above) => {
    if (!isFunction(node)) return;
    const parent = above.at(-1);
    const name = isNode(node.id) ? node.id : parent?.type === "VariableDeclarator" ? (parent.id as Node) : null;
    if (name !== null && nameOf(name) === "runAgent") agents.push(node);
  });
  const agent = agents[0];
  return agent !== undefined && ownNodes(agent, modelCalls(file)).length > 0 ? agent : null;
}

/** The nodes of a function that pass, without those of the functions in it. */
function ownNodes(agent: Node, test: (node: Node) => boolean): Place[] {
  const found: Place[] = [];
  walk(agent, (node, above) => {
    if (test(node) && !above.slice(1).some(isFunction)) found.push({ node, above });
  });
  return found;
}

/** Whether no `if` round a place sends a loop elsewhere that has read the last reply; one that asks anew may read another. */
function mayBeTaken(above: readonly Node[], end: End, asksModel: (node: Node) => boolean): boolean {
  return above.every((node, place) => {
    if (node.type !== "IfStatement") return true;
    const branch = above[place + 1] ?? (node.consequent as Node);
    if (nodesIn(branch, asksModel).length > 0) return true;
    const holds = decide(node.test as Node, end);
    return holds === null || (branch === node.alternate ? !holds : holds);
  });
}

/** What a comparison with a stop reason comes to; null for any other expression. */
function decide(test: Node, { stopReason }: End): boolean | null {
  const { type, operator, left, right } = bare(test);
  if (type !== "BinaryExpression" || !isNode(left) || !isNode(right)) return null;
  const sides = [bare(left), bare(right)];
  const literal = sides.find((side) => side.type === "Literal");
  const read = sides.find(
    (side) => nameOf(side.type === "MemberExpression" ? (side.property as Node) : side) === "stop_reason",
  );
  if (literal === undefined || read === undefined) return null;
  const same = literal.value === stopReason;
  if (operator === "===" || operator === "==") return same;
  return operator === "!==" || operator === "!=" ? !same : null;
}

const LOOPS = ["WhileStatement", "DoWhileStatement", "ForStatement"];
const BREAKABLE = [...LOOPS, "ForOfStatement", "ForInStatement", "SwitchStatement"];

/** Whether a loop's own condition does not end it at such a reply. */
function goesOn(loop: Node, end: End): boolean {
  if (!isNode(loop.test)) return true;
  const test = bare(loop.test);
  return test.type === "Literal" ? Boolean(test.value) : decide(test, end) === true;
}

/** Whether a node is a `break` out of a loop. One with a label leaves all round it. */
function leaves(node: Node, above: readonly Node[], loop: Node): boolean {
  if (node.type !== "BreakStatement") return false;
  if (isNode(node.label)) return above.includes(loop);
  return above.findLast(({ type }) => BREAKABLE.includes(type)) === loop;
}

/** Whether a `return` may have given this value: one without anything gives nothing, and a fixed text just that. */
function mayGive({ argument }: Node, { value }: End): boolean {
  if (!isNode(argument)) return value === null;
  const given = bare(argument);
  return given.type !== "Literal" || given.value === value;
}

/** Whether a `return` gives what another function of the source makes of the conversation. */
function isHandedOn({ argument }: Node, asksModel: (node: Node) => boolean): boolean {
  if (!isNode(argument)) return false;
  return nodesIn(argument, asksModel).some((call) => nameOf(bare(call.callee as Node)) !== "callModel");
}
