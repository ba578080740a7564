/** Where the source passes over a call of a reply, or keeps what a tool gave back for later. */
import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { endOfCallee, isToolRun, methodOf } from "./patterns.ts";
import { isNode, type Node, nodesIn, parsed, spotOf, walk } from "./syntax.ts";

const LOOPS = ["ForOfStatement", "ForStatement", "WhileStatement", "DoWhileStatement", "ForInStatement"];
const LEFT = [...LOOPS, "SwitchStatement"];

/**
 * What makes the code leave calls of a reply out: a `break` of the loop that runs the tools, a `continue` in it that leaves no
 * result behind, a `slice` of the list. Null unless there is one such place.
 */
export function passedOver(source: Source): Spot | null {
  return sole(
    parsed(source).flatMap((file) => {
      const found: Spot[] = [];
      walk(file.program, (node, above) => {
        if (isExit(node, above)) found.push(spotOf(file, node.start));
        if (isCutList(node, above)) found.push(spotOf(file, endOfCallee(node)));
      });
      return found;
    }),
  );
}

function isExit(node: Node, above: readonly Node[]): boolean {
  if (isNode(node.label)) return false;
  const loop = above.findLast(({ type }) => (node.type === "BreakStatement" ? LEFT : LOOPS).includes(type));
  if (loop?.type !== "ForOfStatement" || nodesIn(loop, isToolRun).length === 0) return false;
  if (node.type === "BreakStatement") return true;
  if (node.type !== "ContinueStatement") return false;
  const choice = above.slice(above.indexOf(loop)).findLastIndex(({ type }) => type === "IfStatement");
  const test = above.slice(above.indexOf(loop))[choice];
  // To go on at a block that is no call is right, and so it is once the call has its result.
  return test !== undefined && nodesIn(test, (each) => isToolUse(each) || isResultId(each)).length === 0;
}

function isToolUse(node: Node): boolean {
  return node.type === "Literal" && node.value === "tool_use";
}

function isResultId(node: Node): boolean {
  return node.type === "Property" && (node.key as Node).name === "tool_use_id";
}

/** Whether a node cuts the list that a loop, or a `map`, goes through to run its tools. */
function isCutList(node: Node, above: readonly Node[]): boolean {
  if (node.type !== "CallExpression" || methodOf(node) !== "slice") return false;
  return above.some((outer, place) => {
    if (nodesIn(outer, isToolRun).length === 0) return false;
    const within = above[place + 1] ?? node;
    if (outer.type === "ForOfStatement") return within === outer.right;
    return outer.type === "CallExpression" && methodOf(outer) === "map" && within === outer.callee;
  });
}

/** Where a tool is only run if its result is not known yet: `if (!known.has(key))`, `known[key] ??= await executeTool(…)`. Null unless once. */
export function remembered(source: Source): Spot | null {
  return sole(
    parsed(source).flatMap((file) =>
      nodesIn(file.program, (node) => {
        if (node.type === "AssignmentExpression" || node.type === "LogicalExpression")
          return ["??=", "||=", "??", "||"].includes(String(node.operator)) && runsTool(node.right);
        return node.type === "IfStatement" || node.type === "ConditionalExpression" ? asksWhetherKnown(node) : false;
      }).map((node) => spotOf(file, node.start)),
    ),
  );
}

function asksWhetherKnown({ test }: Node): boolean {
  return isNode(test) && nodesIn(test, (node) => node.type === "CallExpression" && methodOf(node) === "has").length > 0;
}

function runsTool(node: unknown): boolean {
  return isNode(node) && nodesIn(node, isToolRun).length > 0;
}

/** Where a text is cut off: `slice`, `substring` or `substr` from its beginning to a number. Null unless there is one such place. */
export function cutOff(source: Source): Spot | null {
  return sole(
    parsed(source).flatMap((file) =>
      nodesIn(file.program, (node) => {
        if (node.type !== "CallExpression" || !["slice", "substring", "substr"].includes(methodOf(node) ?? ""))
          return false;
        const [from, to] = node.arguments as (Node | undefined)[];
        return from?.type === "Literal" && from.value === 0 && to !== undefined;
      }).map((node) => spotOf(file, endOfCallee(node))),
    ),
  );
}

function sole(found: readonly Spot[]): Spot | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}
