/** A submission's file as the operators read it. */
import { type Node, type Parsed, parse } from "../sandbox/compile/parse.ts";
import { walk } from "../sandbox/compile/walk.ts";

export type { Node };

export interface Code {
  text: string;
  /** What runs, in source order, outermost first: no types and no imports. */
  nodes: readonly Placed[];
}

export interface Placed {
  node: Node;
  parent: Node;
  /** The way down to it: the program first, the parent last. */
  above: readonly Node[];
}

/** A piece of the text and what stands there afterwards. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The edits that make one mutant. */
export type Change = readonly Edit[];

/** A kind of mistake: everywhere in a file where it can be made. */
export type Operator = (code: Code) => Change[];

/** @throws Error when the file does not parse */
export async function readCode(name: string, text: string): Promise<Code> {
  const parsed = await parse(name, text);
  if (!parsed.ok) throw new Error(`${name} does not parse`);
  return { text, nodes: placed(parsed.value) };
}

function placed(parsed: Parsed): Placed[] {
  const nodes: Placed[] = [];
  walk(parsed, {
    enter: (node, above) => {
      const parent = above.at(-1);
      if (parent && ![...above, node].some(isWithoutEffect)) nodes.push({ node, parent, above: [...above] });
    },
    leave: () => {},
  });
  return nodes;
}

/** Wrappers that only the type checker sees: what they hold runs. */
const TRANSPARENT = ["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression", "TSTypeAssertion"];

function isWithoutEffect({ type }: Node): boolean {
  return type === "ImportDeclaration" || (type.startsWith("TS") && !TRANSPARENT.includes(type));
}

/** @returns the nodes of these types */
export function ofType({ nodes }: Code, ...types: string[]): Placed[] {
  return nodes.filter(({ node }) => types.includes(node.type));
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** A child that may be missing. */
export function child(node: Node, key: string): Node | null {
  const value = node[key];
  return isNode(value) ? value : null;
}

/** The children under a key that holds a list; holes left out. */
export function list(node: Node, key: string): Node[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function textOf({ text }: Code, { start, end }: Pick<Node, "start" | "end">): string {
  return text.slice(start, end);
}

export function replace({ start, end }: Pick<Node, "start" | "end">, text: string): Edit {
  return { start, end, text };
}

/** Takes one member out of a list that commas part. */
export function dropMember(members: readonly Node[], index: number): Edit {
  const [member, next, before] = [members[index]!, members[index + 1], members[index - 1]];
  if (next) return { start: member.start, end: next.start, text: "" };
  return { start: before?.end ?? member.start, end: member.end, text: "" };
}

/** Two pieces change places. */
export function swap(code: Code, first: Node, second: Node): Change {
  return [replace(first, textOf(code, second)), replace(second, textOf(code, first))];
}

/** The operator of `a op b` becomes another. */
export function reoperate(code: Code, node: Node, operator: string): Edit {
  const [left, right] = [child(node, "left")!, child(node, "right")!];
  const between = code.text.slice(left.end, right.start);
  return { start: left.end, end: right.start, text: between.replace(String(node.operator), () => operator) };
}

/** The lists of statements: of the file, of blocks, of the cases of a switch. */
export function statementLists(code: Code): Node[][] {
  const program = code.nodes[0]?.parent;
  const owners = [...(program ? [program] : []), ...code.nodes.map(({ node }) => node)];
  return owners
    .filter(({ type }) => ["Program", "BlockStatement", "FunctionBody", "SwitchCase"].includes(type))
    .map((owner) => list(owner, owner.type === "SwitchCase" ? "consequent" : "body"))
    .map((statements) => statements.filter(({ type }) => type !== "ImportDeclaration" && !type.startsWith("TS")));
}

export const LOOPS = ["WhileStatement", "DoWhileStatement", "ForStatement", "ForOfStatement", "ForInStatement"];

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

export function isFunction({ type }: Node): boolean {
  return FUNCTIONS.includes(type);
}

export function isString(node: Node | null): node is Node & { value: string } {
  return node?.type === "Literal" && typeof node.value === "string";
}

/** Whether it can only be true or false: a comparison, a negation, or such put together. */
export function isTest(node: Node): boolean {
  if (node.type === "ParenthesizedExpression") return isTest(child(node, "expression")!);
  if (node.type === "UnaryExpression") return node.operator === "!";
  if (node.type === "LogicalExpression") return node.operator !== "??" && isTest(child(node, "right")!);
  return node.type === "BinaryExpression" && /^([=!]==?|[<>]=?|in|instanceof)$/.test(String(node.operator));
}

/** What decides where the program goes on: conditions, and what functions and variables say yes or no with. */
export function decisions(code: Code): Node[] {
  return code.nodes.flatMap(({ node }) => {
    const decided = child(node, "test");
    if (decided && node.type !== "SwitchCase") return [decided];
    const said =
      node.type === "ReturnStatement"
        ? child(node, "argument")
        : node.type === "VariableDeclarator"
          ? child(node, "init")
          : node.type === "ArrowFunctionExpression"
            ? child(node, "body")
            : null;
    return said && isTest(said) ? [said] : [];
  });
}
