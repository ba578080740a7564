import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { bare, isFunction, modelCalls, type Node, nodesIn, parsed, spotOf, walk } from "./syntax.ts";

/** Where the source takes only the first call of a reply: `find(… "tool_use")` or `filter(…)[0]`; null where it reads them all. */
export function firstCallOnly(source: Source): Spot | null {
  let spot: Spot | null = null;
  for (const file of parsed(source)) {
    const first: Node[] = [];
    let all = false;
    walk(file.program, (node, above) => {
      if (!isToolUseText(node)) return;
      if (isStopReason(above)) return;
      const use = above.findLast((outer) => outer.type === "CallExpression");
      const method = use ? methodOf(use) : null;
      if (method === "some" || method === "every") return;
      if (use && (method === "find" || method === "findLast" || (method === "filter" && isFirstOf(above, use))))
        first.push(use);
      else all = true;
    });
    const taken = first[0];
    if (taken && !all) spot ??= spotOf(file, endOfCallee(taken));
    if (all) return null;
  }
  return spot;
}

function isToolUseText(node: Node): boolean {
  return node.type === "Literal" && node.value === "tool_use";
}

/** Whether the literal is compared with a stop reason rather than with a block's type. */
function isStopReason(above: readonly Node[]): boolean {
  const parent = above.at(-1);
  if (parent?.type === "SwitchCase") return true;
  if (parent?.type !== "BinaryExpression") return false;
  return !nodesIn(parent, (node) => node.type === "MemberExpression").some(
    (member) => nameOf(member.property as Node) === "type",
  );
}

function isFirstOf(above: readonly Node[], call: Node): boolean {
  const outer = above[above.indexOf(call) - 1];
  if (outer?.type === "MemberExpression" && outer.computed === true) return (outer.property as Node).value === 0;
  return (
    outer?.type === "ArrayPattern" ||
    (outer?.type === "VariableDeclarator" && (outer.id as Node).type === "ArrayPattern")
  );
}

function methodOf(call: Node): string | null {
  const callee = bare(call.callee as Node);
  return callee.type === "MemberExpression" ? nameOf(callee.property as Node) : null;
}

function endOfCallee(call: Node): number {
  const callee = bare(call.callee as Node);
  return callee.type === "MemberExpression" ? (callee.property as Node).start : call.start;
}

function nameOf(node: Node): string | null {
  return node.type === "Identifier" ? String(node.name) : null;
}

/** A call of the model whose promise is put in a variable as it is; null where every such call is awaited. */
export function unawaitedModelCall(source: Source): Spot | null {
  for (const file of parsed(source)) {
    const asksModel = modelCalls(file);
    const hit = nodesIn(file.program, (node) => {
      const value =
        node.type === "VariableDeclarator" ? node.init : node.type === "AssignmentExpression" ? node.right : null;
      if (value === null || value === undefined) return false;
      const expression = bare(value as Node);
      if (!asksModel(expression)) return false;
      // `messages.stream()` and `toolRunner()` give objects to iterate over; nobody awaits those.
      const method = methodOf(expression);
      if (method === "stream" || method === "toolRunner" || nodesIn(expression, isStreaming).length > 0) return false;
      const name = node.type === "VariableDeclarator" ? nameOf(node.id as Node) : nameOf(node.left as Node);
      return name !== null && !isAwaitedLater(file.program, name);
    })[0];
    if (hit) return spotOf(file, hit.start);
  }
  return null;
}

function isStreaming(node: Node): boolean {
  return node.type === "Property" && nameOf(node.key as Node) === "stream" && (node.value as Node).value === true;
}

function isAwaitedLater(program: Node, name: string): boolean {
  return (
    nodesIn(program, (node) => {
      const waits =
        node.type === "AwaitExpression" ||
        (node.type === "CallExpression" && ["then", "all", "race"].includes(methodOf(node) ?? ""));
      return waits && nodesIn(node, (inner) => inner.type === "Identifier" && inner.name === name).length > 0;
    }).length > 0
  );
}

/** An async callback given to `forEach`, whose promises nobody waits for. */
export function asyncForEach(source: Source): Spot | null {
  for (const file of parsed(source)) {
    const hit = nodesIn(file.program, (node) => {
      if (node.type !== "CallExpression" || methodOf(node) !== "forEach") return false;
      const callback = (node.arguments as Node[])[0];
      return callback !== undefined && isFunction(bare(callback)) && bare(callback).async === true;
    })[0];
    if (hit) return spotOf(file, endOfCallee(hit));
  }
  return null;
}
