import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import {
  bare,
  boundBy,
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

/**
 * Where the source takes only the first calls of a reply: `find(… "tool_use")`, `filter(…)[0]` or `filter(…).slice(0, 2)`;
 * null where it reads them all.
 */
export function firstCallOnly(source: Source): Spot | null {
  let spot: Spot | null = null;
  for (const file of parsed(source)) {
    const first: Node[] = [];
    const taken = new Set<string>();
    const compared: (string | null)[] = [];
    walk(file.program, (node, above) => {
      if (!isToolUseText(node)) return;
      if (isStopReason(above)) return;
      const use = above.findLast((outer) => outer.type === "CallExpression");
      const method = use ? methodOf(use) : null;
      if (method === "some" || method === "every") return;
      if (use && (method === "find" || method === "findLast" || (method === "filter" && isFirstOf(above, use)))) {
        first.push(use);
        const variable = above.findLast((outer) => outer.type === "VariableDeclarator");
        if (variable) for (const name of boundBy(variable.id as Node)) taken.add(name);
      } else compared.push(comparedBlock(above));
    });
    // To look again at the type of the one that was taken is to read no other.
    if (compared.some((name) => name === null || !taken.has(name))) return null;
    if (first[0]) spot ??= spotOf(file, endOfCallee(first[0]));
  }
  return spot;
}

/** The variable whose type is compared: `block` in `block?.type === "tool_use"`; null for anything else. */
function comparedBlock(above: readonly Node[]): string | null {
  const comparison = above.at(-1);
  if (comparison?.type !== "BinaryExpression") return null;
  const member = bare(comparison.left as Node);
  return member.type === "MemberExpression" ? nameOf(bare(member.object as Node)) : null;
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
  // `filter(…).slice(0, n)`, whose end is a number: as many as there were in a reply that somebody looked at.
  const next = above[above.indexOf(call) - 2];
  if (outer?.type === "MemberExpression" && next?.type === "CallExpression" && methodOf(next) === "slice") {
    const [from, to] = next.arguments as (Node | undefined)[];
    return from?.type === "Literal" && from.value === 0 && to?.type === "Literal";
  }
  if (outer?.type === "MemberExpression" && outer.computed === true) return (outer.property as Node).value === 0;
  return (
    outer?.type === "ArrayPattern" ||
    (outer?.type === "VariableDeclarator" && (outer.id as Node).type === "ArrayPattern")
  );
}

/** The method a call calls: `filter` in `list.filter(f)`; null for a plain function. */
export function methodOf(call: Node): string | null {
  const callee = bare(call.callee as Node);
  return callee.type === "MemberExpression" ? nameOf(callee.property as Node) : null;
}

/** Where the name of a called method begins. */
export function endOfCallee(call: Node): number {
  const callee = bare(call.callee as Node);
  return callee.type === "MemberExpression" ? (callee.property as Node).start : call.start;
}

/** The name of an identifier; null for any other node. */
export function nameOf(node: Node): string | null {
  return node.type === "Identifier" ? String(node.name) : null;
}

/**
 * A call of the model whose promise is put in a variable, or read, as it is.
 * @param made the line a request was made on: only the call that made it will do, by itself or through a helper. Null for any
 * @returns null where every such call is awaited
 */
export function unawaitedModelCall(source: Source, made: Spot | null = null): Spot | null {
  for (const file of parsed(source)) {
    const asksModel = modelCalls(file);
    const hits = nodesIn(file.program, (node) => {
      const call = unawaitedIn(file.program, node, asksModel);
      return call !== null && (made === null || isMadeBy(file, call, node, made));
    });
    if (hits[0]) return spotOf(file, hits[0].start);
  }
  return null;
}

/** A call of a function of the student's own that asks the model, made as a statement that waits for nothing. */
export interface UnawaitedHelper {
  at: Spot;
  name: string;
}

/**
 * The statement that sets off a function which asks the model and goes on without it: `step(messages);`.
 * @param made the line a request was made on: only a function that holds it will do. Null for any
 * @returns null where there is none, or several
 */
export function unawaitedHelper(source: Source, made: Spot | null = null): UnawaitedHelper | null {
  const found = parsed(source).flatMap((file) => {
    const asksModel = modelCalls(file);
    return nodesIn(file.program, ({ type }) => type === "ExpressionStatement").flatMap((statement) => {
      const call = setOffBy(bare(statement.expression as Node));
      const name = call === null ? null : nameOf(bare(call.callee as Node));
      const body = name === null ? null : functionNamed(file.program, name);
      if (call === null || name === null || body === null || !asksModel(call)) return [];
      if (made !== null && !(made.file === file.name && holdsLine(file, body, made.line))) return [];
      return [{ at: spotOf(file, call.start), name }];
    });
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The call that an expression makes without waiting for it, `void` and `.then()` included; null where it does something else. */
function setOffBy(expression: Node): Node | null {
  if (expression.type === "UnaryExpression" && expression.operator === "void")
    return setOffBy(bare(expression.argument as Node));
  if (expression.type !== "CallExpression") return null;
  const callee = bare(expression.callee as Node);
  const isThen =
    callee.type === "MemberExpression" && ["then", "catch", "finally"].includes(methodOf(expression) ?? "");
  return isThen ? setOffBy(bare(callee.object as Node)) : expression;
}

/** Whether the call of the model on a line is awaited right there. */
export function isAwaitedThere(source: Source, made: Spot): boolean {
  return parsed(source).some((file) => {
    if (file.name !== made.file) return false;
    const asksModel = modelCalls(file);
    const awaited = nodesIn(
      file.program,
      (node) => node.type === "AwaitExpression" && asksModel(bare(node.argument as Node)),
    );
    return awaited.some((node) => holdsLine(file, node, made.line));
  });
}

/** The model's call that a node takes the promise of; null where it takes none, or the promise is waited for. */
function unawaitedIn(program: Node, node: Node, asksModel: (node: Node) => boolean): Node | null {
  const value =
    node.type === "VariableDeclarator"
      ? node.init
      : node.type === "AssignmentExpression"
        ? node.right
        : node.type === "MemberExpression" && REPLY_FIELDS.includes(nameOf(node.property as Node) ?? "")
          ? node.object
          : null;
  if (!isNode(value)) return null;
  const call = bare(value);
  if (!asksModel(call)) return null;
  // `messages.stream()` and `toolRunner()` give objects to iterate over; nobody awaits those.
  const method = methodOf(call);
  if (method === "stream" || method === "toolRunner" || nodesIn(call, isStreaming).length > 0) return null;
  if (node.type === "MemberExpression") return call;
  const target = (node.type === "VariableDeclarator" ? node.id : node.left) as Node;
  if (target.type === "ObjectPattern") return call;
  const name = nameOf(target);
  return name !== null && !isAwaitedLater(program, name) ? call : null;
}

/** What one reads of a reply and a promise does not have. */
const REPLY_FIELDS = ["content", "stop_reason"];

/** Whether a request made on a line comes from this call: the line is in the statement, or in the helper that it calls. */
function isMadeBy(file: ParsedFile, call: Node, whole: Node, made: Spot): boolean {
  if (made.file !== file.name) return false;
  if (holdsLine(file, whole, made.line)) return true;
  const helper = nameOf(bare(call.callee as Node));
  const body = helper === null ? null : functionNamed(file.program, helper);
  return body !== null && holdsLine(file, body, made.line);
}

function holdsLine(file: ParsedFile, node: Node, line: number): boolean {
  return spotOf(file, node.start).line <= line && line <= spotOf(file, node.end).line;
}

/** The function of a file that goes by a name; null when there is none. */
function functionNamed(program: Node, name: string): Node | null {
  let found: Node | null = null;
  walk(program, (node) => {
    if (found !== null) return;
    if (isFunction(node) && isNode(node.id) && nameOf(node.id) === name) found = node;
    if (node.type === "VariableDeclarator" && nameOf(node.id as Node) === name && isNode(node.init)) {
      const value = bare(node.init);
      if (isFunction(value)) found = value;
    }
  });
  return found;
}

function isStreaming(node: Node): boolean {
  return node.type === "Property" && nameOf(node.key as Node) === "stream" && (node.value as Node).value === true;
}

/** Whether anything waits for the promise in a variable; where it cannot be told, it does. */
function isAwaitedLater(program: Node, name: string, deep = 3): boolean {
  return (
    nodesIn(program, (node) => {
      if (node.type === "AwaitExpression") {
        const awaited = bare(node.argument as Node);
        if (nameOf(awaited) === name) return true;
        return awaited.type === "CallExpression" && isHandedToWaiter(program, awaited, name, deep);
      }
      if (node.type === "ForOfStatement") return node.await === true && nameOf(bare(node.right as Node)) === name;
      if (node.type !== "CallExpression") return false;
      const method = methodOf(node) ?? "";
      if (["all", "race", "any", "allSettled"].includes(method))
        return (node.arguments as Node[]).some((argument) => isWholeIn(argument, name));
      const callee = bare(node.callee as Node);
      return ["then", "catch", "finally"].includes(method) && nameOf(bare(callee.object as Node)) === name;
    }).length > 0
  );
}

/** Whether a call is given the promise and waits for it: a function of this file that does not await its parameter does not. */
function isHandedToWaiter(program: Node, call: Node, name: string, deep: number): boolean {
  const place = (call.arguments as Node[]).findIndex((argument) => isWholeIn(argument, name));
  if (place === -1) return false;
  const callee = nameOf(bare(call.callee as Node));
  const body = callee === null ? null : functionNamed(program, callee);
  const parameter = body === null ? undefined : (body.params as Node[])[place];
  const own = parameter === undefined ? null : nameOf(parameter);
  if (body === null || own === null || deep === 0) return true;
  return isAwaitedLater(body, own, deep - 1);
}

/** Whether the value of a variable, and not something read from it, is in an expression: `p`, `[p, q]`, `...p`. */
function isWholeIn(expression: Node, name: string): boolean {
  const node = bare(expression);
  if (node.type === "ArrayExpression")
    return (node.elements as (Node | null)[]).some((element) => element !== null && isWholeIn(element, name));
  if (node.type === "SpreadElement") return isWholeIn(node.argument as Node, name);
  return nameOf(node) === name;
}

/** The one `map` with an async callback that runs a tool, where nothing waits for the list of promises it gives. */
export function asyncMap(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) => {
    const hits: Spot[] = [];
    walk(file.program, (node, above) => {
      if (node.type !== "CallExpression" || methodOf(node) !== "map") return;
      const [callback] = (node.arguments as Node[]).map(bare);
      if (callback === undefined || !isFunction(callback) || callback.async !== true) return;
      if (nodesIn(callback, isToolRun).length > 0 && !isListWaitedFor(file.program, node, above))
        hits.push(spotOf(file, endOfCallee(node)));
    });
    return hits;
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Whether a node is a call of `executeTool`. */
export function isToolRun(node: Node): boolean {
  return node.type === "CallExpression" && nameOf(bare(node.callee as Node)) === "executeTool";
}

/** The one call of `executeTool`; null where there is none, or several. */
export function soleToolRun(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, isToolRun).map((call) => spotOf(file, call.start)),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The one place where `runAgent` calls itself; null where there is none, or several. */
export function recursiveCall(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) => {
    const agent = functionNamed(file.program, "runAgent");
    const isCall = (node: Node) => node.type === "CallExpression" && nameOf(bare(node.callee as Node)) === "runAgent";
    return agent === null ? [] : nodesIn(agent, isCall).map((call) => spotOf(file, call.start));
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Whether a list of promises is handed to something that may wait for it, there or by the variable it is put in. */
function isListWaitedFor(program: Node, list: Node, above: readonly Node[]): boolean {
  const outer = above.findLast((each) => bare(each) !== list);
  if (outer?.type === "VariableDeclarator") {
    const name = nameOf(outer.id as Node);
    return name === null || isAwaitedLater(program, name);
  }
  return outer?.type !== "Property";
}

/** The one `Promise.race` or `any` of a list that `map` makes: it is settled by the first of them. */
export function raceOfList(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, (node) => {
      if (node.type !== "CallExpression" || !["race", "any"].includes(methodOf(node) ?? "")) return false;
      const [list] = (node.arguments as Node[]).map(bare);
      return list?.type === "CallExpression" && methodOf(list) === "map";
    }).map((node) => spotOf(file, endOfCallee(node))),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Whether a line of `runAgent` is in no loop and in no function of its own, so that the code comes by it once. */
export function isPassedOnce(source: Source, { file: name, line }: Spot): boolean {
  return parsed(source).some((file) => {
    if (file.name !== name) return false;
    const round = nodesIn(file.program, (node) => (isFunction(node) || isLoop(node)) && holdsLine(file, node, line));
    const [only, ...others] = round;
    return only !== undefined && others.length === 0 && isNode(only.id) && nameOf(only.id) === "runAgent";
  });
}

function isLoop({ type }: Node): boolean {
  return ["WhileStatement", "DoWhileStatement", "ForStatement", "ForOfStatement", "ForInStatement"].includes(type);
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
