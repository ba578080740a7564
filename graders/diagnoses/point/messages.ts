/**
 * Where the source puts together what it sends: a message, a tool result. Each answers only where a single place of the source
 * can be meant.
 */
import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { endOfCallee, isToolRun, methodOf, nameOf } from "./patterns.ts";
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

/** An object of the source with the fields of a message or a result, and what it stands in. */
interface Found {
  file: ParsedFile;
  node: Node;
  above: readonly Node[];
}

/** Where the model's turn is kept: the object with `role: "assistant"`. */
export function assistantTurn(source: Source): Spot | null {
  return sole(messagesOf(source).filter(({ node }) => roleOf(node) === "assistant"));
}

/** What is kept as a turn of the model's besides the one that keeps a reply's `content`. */
export function wordsBesideTurn(source: Source): Spot | null {
  const turns = messagesOf(source).filter(({ node }) => roleOf(node) === "assistant");
  const others = turns.filter(({ node }) => {
    const content = fieldOf(node, "content");
    return content?.type !== "MemberExpression" || nameOf(content.property as Node) !== "content";
  });
  return others.length < turns.length ? sole(others) : null;
}

/** The `filter` that what is kept as the model's turn has passed through, there or where its variable is given its value. */
export function filteredTurn(source: Source): Spot | null {
  const found = messagesOf(source).flatMap(({ file, node }) => {
    const content = fieldOf(node, "content");
    if (roleOf(node) !== "assistant" || content === null) return [];
    const name = nameOf(content);
    const values = name === null ? [content] : givenTo(file, name);
    return values.flatMap((value) =>
      value.type === "CallExpression" && methodOf(value) === "filter" ? [spotOf(file, endOfCallee(value))] : [],
    );
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** What the variables of a name begin with. */
function givenTo(file: ParsedFile, name: string): Node[] {
  return nodesIn(
    file.program,
    (node) => node.type === "VariableDeclarator" && nameOf(node.id as Node) === name,
  ).flatMap(({ init }) => (isNode(init) ? [bare(init)] : []));
}

/** The question, where it is a text that stands in the source as it is. */
export function fixedQuestion(source: Source): Spot | null {
  return sole(messagesOf(source).filter(({ node }) => roleOf(node) === "user" && isText(fieldOf(node, "content"))));
}

/** Whether a content is a text that never changes, or a list of blocks of it. */
function isText(content: Node | null): boolean {
  if (content === null) return false;
  if (content.type === "TemplateLiteral") return (content.expressions as Node[]).length === 0;
  return textOf(content) !== null || elementsOf(content).some((block) => isText(fieldOf(bare(block), "text")));
}

/** Where the results are handed over: the object with `role: "user"` that is not the question. */
export function resultsMessage(source: Source): Spot | null {
  return sole(messagesOf(source).filter(isHandingOver));
}

/** The message of results of a source that keeps no turn of the model at all. */
export function resultsWithoutTurn(source: Source): Spot | null {
  const keeps = messagesOf(source).some(({ node }) => roleOf(node) === "assistant") || wholeReply(source) !== null;
  return keeps ? null : resultsMessage(source);
}

/** The message of results, where it stands before the model's turn. */
export function resultsBeforeTurn(source: Source): Spot | null {
  const turn = assistantTurn(source);
  const results = resultsMessage(source);
  return turn !== null && results !== null && turn.file === results.file && results.line < turn.line ? results : null;
}

/** The message of results that begins with a block of text. */
export function textFirst(source: Source): Spot | null {
  return sole(
    messagesOf(source).filter((found) => {
      const [first] = elementsOf(fieldOf(found.node, "content"));
      return isHandingOver(found) && first !== undefined && textOf(fieldOf(first, "type")) === "text";
    }),
  );
}

/** The message whose role does not fit what it holds, or is none of the API's, or is not there. */
export function wrongRole(source: Source): Spot | null {
  return sole(
    messagesOf(source).filter(({ file, node }) => {
      const content = fieldOf(node, "content");
      switch (roleOf(node)) {
        case "user":
          return content?.type === "MemberExpression" && nameOf(content.property as Node) === "content";
        case "assistant":
          return holdsResults(file, content);
        default:
          return fieldOf(node, "role") === null || roleOf(node) !== null;
      }
    }),
  );
}

/** Where a whole reply goes into the history, or into the `content` of a message. */
export function wholeReply(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) => {
    const replies = repliesIn(file);
    const isReply = (node: Node | null | undefined) =>
      node !== null && node !== undefined && replies.has(nameOf(bare(node)) ?? "");
    const pushed = nodesIn(
      file.program,
      (node) =>
        node.type === "CallExpression" &&
        ["push", "concat"].includes(methodOf(node) ?? "") &&
        (node.arguments as Node[]).some(isReply),
    );
    const inContent = messagesOf(source).filter((each) => each.file === file && isReply(fieldOf(each.node, "content")));
    return [...pushed, ...inContent.map(({ node }) => node)].map((node) => spotOf(file, node.start));
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A field of the object that is a tool's result; `flagged`: the one with `is_error`, or the one without. */
export function resultField(source: Source, field: string, flagged?: boolean): Spot | null {
  const [found, ...others] = resultsOf(source).filter(
    ({ node }) => flagged === undefined || (property(node, "is_error") !== null) === flagged,
  );
  const at = found && others.length === 0 ? property(found.node, field) : null;
  return found && at ? spotOf(found.file, at.start) : null;
}

/** Where a `tool_choice` that forces a call is given, in a request or in a variable for it. */
export function toolChoice(source: Source): Spot | null {
  const forcing = objectsOf(source).filter(({ node, above }) => {
    if (!["any", "tool"].includes(textOf(fieldOf(node, "type")) ?? "")) return false;
    return above.some(
      (outer) =>
        (outer.type === "Property" && nameOf(outer.key as Node) === "tool_choice") ||
        outer.type === "VariableDeclarator",
    );
  });
  return sole(forcing);
}

/** The `is_error` of the one result that carries more than a fixed text: what says why a call was refused is such a text. */
export function flagOfResult(source: Source): Spot | null {
  const flags = resultsOf(source).flatMap(({ file, node }) => {
    const flag = property(node, "is_error");
    return flag === null || isText(fieldOf(node, "content")) ? [] : [spotOf(file, flag.start)];
  });
  return flags.length === 1 ? (flags[0] ?? null) : null;
}

/**
 * Where results and ids can get mixed up: an id that a result is given later on, a value that is looked up by the name of a
 * call, a list whose order is turned round, or an id that is not just a block's own. Null where none of these is the only one.
 */
export function mixesUp(source: Source): Spot | null {
  const given = spotsIn(
    source,
    (node) => node.type === "AssignmentExpression" && memberName(node.left as Node) === "tool_use_id",
  );
  const byName = spotsIn(
    source,
    (node, above) =>
      node.type === "MemberExpression" &&
      node.computed === true &&
      memberName(node.property as Node) === "name" &&
      !["AssignmentExpression", "CallExpression"].includes(above.at(-1)?.type ?? ""),
  );
  const turned = spotsIn(
    source,
    (node) =>
      node.type === "CallExpression" &&
      ["unshift", "reverse", "toReversed", "sort", "toSorted"].includes(methodOf(node) ?? ""),
  );
  for (const found of [given, byName, turned]) if (found.length === 1) return found[0] ?? null;
  const ids = resultsOf(source).map(({ node }) => fieldOf(node, "tool_use_id"));
  return ids.every(isOwnId) ? null : resultField(source, "tool_use_id");
}

/** Whether an id is taken from the block at hand: `block.id`, or `id` of `{ id, name, input }`. */
function isOwnId(node: Node | null): boolean {
  if (node === null) return false;
  return node.type === "MemberExpression" ? nameOf(bare(node.object as Node)) !== null : nameOf(node) === "id";
}

/** The name of a member that is read or written by it: `id` in `block.id`. */
function memberName(node: Node): string | null {
  const member = bare(node);
  return member.type === "MemberExpression" && member.computed !== true ? nameOf(member.property as Node) : null;
}

function spotsIn(source: Source, test: (node: Node, above: readonly Node[]) => boolean): Spot[] {
  return parsed(source).flatMap((file) => nodesIn(file.program, test).map((node) => spotOf(file, node.start)));
}

/** The object that is to be a tool's result and does not say so. */
export function untypedResult(source: Source): Spot | null {
  return sole(resultsOf(source).filter(({ node }) => textOf(fieldOf(node, "type")) !== "tool_result"));
}

/** A block that says it is a tool's result and has no `tool_use_id`. */
export function idlessResult(source: Source): Spot | null {
  return sole(
    objectsOf(source).filter(
      ({ node }) => textOf(fieldOf(node, "type")) === "tool_result" && property(node, "tool_use_id") === null,
    ),
  );
}

/** The one place that makes a result of a good call: its `content`, or the whole of it where it has none. */
export function plainResult(source: Source): Spot | null {
  return (
    resultField(source, "content", false) ??
    sole(resultsOf(source).filter(({ node }) => property(node, "is_error") === null))
  );
}

/** A result without `is_error` that tells of a call that did not go well: in a `catch`, or before the tool is run. */
export function unflaggedResult(source: Source): Spot | null {
  return sole(
    resultsOf(source).filter(({ node, above }) => {
      if (property(node, "is_error") !== null) return false;
      if (above.some(({ type }) => type === "CatchClause")) return true;
      const loop = above.findLast(({ type }) => type === "ForOfStatement");
      const runs = loop === undefined ? [] : nodesIn(loop, isToolRun);
      return runs.length > 0 && runs.every(({ start }) => start > node.end);
    }),
  );
}

/** A message of the user's without results that is made anew on each pass of a loop. */
export function noteInLoop(source: Source): Spot | null {
  return sole(
    messagesOf(source).filter(
      ({ file, node, above }) =>
        roleOf(node) === "user" &&
        above.some(({ type }) => /^(While|DoWhile|For)Statement$/.test(type)) &&
        !holdsResults(file, fieldOf(node, "content")),
    ),
  );
}

/** The model's turn where it is kept once for each call: in the loop, or the callback, that runs the tools. */
export function turnPerCall(source: Source): Spot | null {
  return sole(
    messagesOf(source).filter(
      ({ node, above }) =>
        roleOf(node) === "assistant" &&
        above.some((outer) => outer.type === "ForOfStatement" && nodesIn(outer, isToolRun).length > 0),
    ),
  );
}

/** The second of two places that each make a result of a good call. */
export function secondResult(source: Source): Spot | null {
  const [, second, ...others] = resultsOf(source).filter(({ node }) => property(node, "is_error") === null);
  return second && others.length === 0 ? spotOf(second.file, second.node.start) : null;
}

/** Where a list of results is put in the place of the one before: `results = [result]`. */
export function overwrittenResults(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(
      file.program,
      (node) =>
        node.type === "AssignmentExpression" &&
        node.operator === "=" &&
        elementsOf(bare(node.right as Node)).some((element) => property(element, "tool_use_id") !== null),
    ).map((node) => spotOf(file, node.start)),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Where results are put among the messages with no message round them: `messages.push(...results)`. */
export function resultsAsMessages(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, (node) => {
      const [list, items] = addedTo(node);
      return list !== null && isHistory(file, list) && items.some((item) => isOfResults(file, item));
    }).map((node) => spotOf(file, node.start)),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The list that a node adds to, by name, and what it adds: `list.push(a)`, `list.concat(a)`, `[...list, a]`. */
function addedTo(node: Node): [list: string | null, items: Node[]] {
  if (node.type === "CallExpression" && ["push", "concat"].includes(methodOf(node) ?? ""))
    return [nameOf(bare((bare(node.callee as Node) as Node).object as Node)), node.arguments as Node[]];
  const [first, ...items] = elementsOf(node);
  return [first?.type === "SpreadElement" ? nameOf(bare(first.argument as Node)) : null, items];
}

/** Whether a variable holds messages: it begins with one, or one is pushed to it. */
function isHistory(file: ParsedFile, name: string): boolean {
  const isMessage = (node: Node) => property(bare(node), "role") !== null;
  if (givenTo(file, name).some((value) => elementsOf(value).some(isMessage))) return true;
  return (
    nodesIn(file.program, (node) => {
      const [list, items] = addedTo(node);
      return list === name && items.some(isMessage);
    }).length > 0
  );
}

/** Whether what is added is a result, or a list of them. */
function isOfResults(file: ParsedFile, item: Node): boolean {
  const value = bare(item.type === "SpreadElement" ? (item.argument as Node) : item);
  if (property(value, "tool_use_id") !== null || holdsResults(file, value)) return true;
  const name = nameOf(value);
  const makes = (node: Node) => nodesIn(node, (each) => property(each, "tool_use_id") !== null).length > 0;
  return name !== null && givenTo(file, name).some(makes);
}

function messagesOf(source: Source): Found[] {
  return objectsOf(source).filter(({ node, above }) => {
    if (property(node, "content") === null || property(node, "tool_use_id") !== null) return false;
    if (property(node, "role") !== null) return true;
    // Without a role it is a message only where it is put among messages.
    const call = above.findLast((outer) => bare(outer) !== bare(node));
    return call?.type === "CallExpression" && ["push", "concat"].includes(methodOf(call) ?? "");
  });
}

function resultsOf(source: Source): Found[] {
  return objectsOf(source).filter(({ node }) => property(node, "tool_use_id") !== null);
}

function objectsOf(source: Source): Found[] {
  return parsed(source).flatMap((file) => {
    const found: Found[] = [];
    walk(file.program, (node, above) => {
      if (node.type === "ObjectExpression") found.push({ file, node, above });
    });
    return found;
  });
}

/** Whether a message of the user is more than words: neither a text nor what the function was called with. */
function isHandingOver({ node, above }: Found): boolean {
  const content = fieldOf(node, "content");
  if (roleOf(node) !== "user" || content === null) return false;
  if (content.type === "Literal" || content.type === "TemplateLiteral") return false;
  const given = above.filter(isFunction).flatMap((each) => (each.params as Node[]).flatMap(boundBy));
  return content.type !== "Identifier" || !given.includes(String(content.name));
}

/** Whether a content is a list with results in it, or a variable to which they are added. */
function holdsResults(file: ParsedFile, content: Node | null): boolean {
  if (content === null) return false;
  if (elementsOf(content).some((element) => property(element, "tool_use_id") !== null)) return true;
  const name = nameOf(content);
  return (
    name !== null &&
    nodesIn(
      file.program,
      (node) =>
        node.type === "CallExpression" &&
        methodOf(node) === "push" &&
        nameOf(bare(bare(node.callee as Node).object as Node)) === name &&
        (node.arguments as Node[]).some((argument) => property(bare(argument), "tool_use_id") !== null),
    ).length > 0
  );
}

/** Variables that are given a reply as it comes. */
function repliesIn(file: ParsedFile): Set<string> {
  const asksModel = modelCalls(file);
  const names = new Set<string>();
  walk(file.program, (node) => {
    const [target, value] =
      node.type === "VariableDeclarator"
        ? [node.id, node.init]
        : node.type === "AssignmentExpression"
          ? [node.left, node.right]
          : [];
    if (!isNode(target) || !isNode(value)) return;
    const given = bare(value);
    const name = nameOf(target);
    const reply = given.type === "AwaitExpression" ? bare(given.argument as Node) : given;
    if (name !== null && asksModel(reply)) names.add(name);
  });
  return names;
}

function elementsOf(node: Node | null): Node[] {
  return node?.type === "ArrayExpression" ? (node.elements as (Node | null)[]).filter((each) => each !== null) : [];
}

function property(node: Node, name: string): Node | null {
  if (node.type !== "ObjectExpression") return null;
  const isIt = (each: Node) =>
    each.type === "Property" && (nameOf(each.key as Node) === name || (each.key as Node).value === name);
  return (node.properties as Node[]).find(isIt) ?? null;
}

function fieldOf(node: Node, name: string): Node | null {
  const found = property(node, name);
  return found === null ? null : bare(found.value as Node);
}

function roleOf(node: Node): string | null {
  return textOf(fieldOf(node, "role"));
}

function textOf(node: Node | null): string | null {
  if (node === null) return null;
  const text = bare(node);
  return text.type === "Literal" && typeof text.value === "string" ? text.value : null;
}

function sole(found: readonly Found[]): Spot | null {
  const [first, ...others] = found;
  return first && others.length === 0 ? spotOf(first.file, first.node.start) : null;
}
