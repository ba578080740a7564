/** Reads the student's source. Used to point at a line and to choose words, never for a verdict. */
import { parseSync } from "oxc-parser";
import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { remember } from "../find/json.ts";

/** A node of the ESTree that oxc-parser gives; offsets are in UTF-16 units, like a string's. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export interface ParsedFile {
  name: string;
  text: string;
  program: Node;
}

/** The files of a submission that can be parsed; the others are left out. */
export const parsed: (source: Source) => readonly ParsedFile[] = remember((source: Source) =>
  source.files.flatMap(({ name, text }) => {
    if (!/\.[cm]?[jt]s$/.test(name)) return [];
    try {
      const { program, errors } = parseSync(name, text);
      return errors.length > 0 ? [] : [{ name, text, program: program as unknown as Node }];
    } catch {
      return []; // a parser's own failure must not cost a student the rest of the message
    }
  }),
);

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** The direct children of a node. */
export function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** Visits a node and all below it, outermost first; `above` is the way down to it. */
export function walk(root: Node, visit: (node: Node, above: readonly Node[]) => void): void {
  const step = (node: Node, above: readonly Node[]) => {
    visit(node, above);
    const here = [...above, node];
    for (const child of children(node)) step(child, here);
  };
  step(root, []);
}

/** The nodes below (and with) `root` that pass. */
export function nodesIn(root: Node, test: (node: Node, above: readonly Node[]) => boolean): Node[] {
  const found: Node[] = [];
  walk(root, (node, above) => {
    if (test(node, above)) found.push(node);
  });
  return found;
}

export function spotOf(file: ParsedFile, offset: number): Spot {
  const before = file.text.slice(0, offset).split("\n");
  return { file: file.name, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export function isFunction(node: Node): boolean {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type);
}

/** Without the wrappers that change nothing: parentheses, `as`, `!`, `satisfies`. */
export function bare(node: Node): Node {
  const wrappers = [
    "ParenthesizedExpression",
    "TSAsExpression",
    "TSNonNullExpression",
    "TSSatisfiesExpression",
    "ChainExpression",
  ];
  return wrappers.includes(node.type) && isNode(node.expression) ? bare(node.expression) : node;
}

/** Names a pattern binds or assigns: `a`, `{ a, b: c }`, `[a]`. */
export function boundBy(pattern: Node): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern.name)];
    case "ObjectPattern":
      return (pattern.properties as Node[]).flatMap((property) =>
        boundBy((property.type === "RestElement" ? property.argument : property.value) as Node),
      );
    case "ArrayPattern":
      return (pattern.elements as (Node | null)[]).flatMap((element) => (element === null ? [] : boundBy(element)));
    case "AssignmentPattern":
      return boundBy(pattern.left as Node);
    case "RestElement":
      return boundBy(pattern.argument as Node);
    default:
      return [];
  }
}

/** Names read in an expression: `response` in `response.stop_reason === "x"`, not its property names. */
export function readBy(expression: Node): string[] {
  const found: string[] = [];
  const step = (node: Node) => {
    if (node.type === "Identifier") found.push(String(node.name));
    else if (node.type === "MemberExpression") {
      step(node.object as Node);
      if (node.computed === true) step(node.property as Node);
    } else if (node.type === "Property") step(node.value as Node);
    else if (!node.type.startsWith("TSType")) for (const child of children(node)) step(child);
  };
  step(expression);
  return found;
}

/** Whether a call of the model stands in a file's node; knows `callModel` under another name, and functions that call it. */
export function modelCalls(file: ParsedFile): (node: Node) => boolean {
  const direct = new Set(["callModel"]);
  walk(file.program, (node) => {
    if (node.type !== "ImportSpecifier") return;
    if ((node.imported as Node).name === "callModel") direct.add(String((node.local as Node).name));
  });
  const isCall = (node: Node): boolean => {
    if (node.type !== "CallExpression") return false;
    const callee = bare(node.callee as Node);
    if (callee.type === "Identifier") return direct.has(String(callee.name)) || callee.name === "fetch";
    if (callee.type !== "MemberExpression" || callee.computed === true) return false;
    const property = String((callee.property as Node).name);
    // `client.messages.create`, `.stream`; not `Object.create`.
    return (
      ["create", "stream", "toolRunner"].includes(property) && bare(callee.object as Node).type === "MemberExpression"
    );
  };
  // Functions of the student's own that ask the model count as asking it; twice over is deep enough for helpers of helpers.
  for (let pass = 0; pass < 2; pass++) {
    walk(file.program, (node, above) => {
      if (!isFunction(node) || nodesIn(node, isCall).length === 0) return;
      const parent = above.at(-1);
      const name = isNode(node.id) ? node.id : parent?.type === "VariableDeclarator" ? (parent.id as Node) : null;
      if (name?.type === "Identifier" && name.name !== "runAgent") direct.add(String(name.name));
    });
  }
  return isCall;
}
