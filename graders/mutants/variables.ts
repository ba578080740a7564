/** Which variables a file has, of which kind they are, and where they are read. */
import { type Code, child, isFunction, isNode, LOOPS, list, type Node, type Placed, textOf } from "./code.ts";

/** What a variable is likely to hold, told from how it is declared. */
export type Kind = "list" | "awaited" | "text" | "number" | "flag" | "item" | "function" | "value";

export interface Variable {
  name: string;
  kind: Kind;
  /** What is declared: a name of its own, not a part of a pattern. */
  id: Node;
  /** The statement that declares it; null for a parameter or a loop's own variable. */
  statement: Node | null;
  /** The node in which it is known. */
  scope: Node;
  /** Whether it is given a new value somewhere. */
  reassigned: boolean;
}

export interface Read {
  node: Node;
  variable: Variable;
  parent: Node;
  above: readonly Node[];
}

/** Variables with a name of their own; functions and parts of patterns left out. */
export function variablesOf(code: Code): Variable[] {
  const found = code.nodes.flatMap(({ node, parent, above }): Omit<Variable, "reassigned">[] => {
    if (node.type === "VariableDeclarator") {
      const id = child(node, "id")!;
      if (id.type !== "Identifier") return [];
      const owner = above.at(-2)!;
      const isItem = LOOPS.includes(owner.type) && child(owner, "left") === parent;
      const isCounter = LOOPS.includes(owner.type) && child(owner, "init") === parent;
      const kind = isItem ? "item" : kindOf(code, id, child(node, "init"));
      return [{ name: String(id.name), kind, id, statement: isItem || isCounter ? null : parent, scope: owner }];
    }
    if (!isFunction(node)) return [];
    return list(node, "params").flatMap((param) => {
      const id = param.type === "AssignmentPattern" ? child(param, "left")! : param;
      if (id.type !== "Identifier") return [];
      const kind = child(id, "typeAnnotation") ? kindOf(code, id, null) : "item";
      return [{ name: String(id.name), kind, id, statement: null, scope: node }];
    });
  });
  return found.map((variable) => ({ ...variable, reassigned: isReassigned(code, variable) }));
}

function kindOf(code: Code, id: Node, init: Node | null): Kind {
  const annotation = child(id, "typeAnnotation");
  const type = annotation ? textOf(code, annotation) : "";
  if (/\[\]\s*$|Array</.test(type)) return "list";
  if (/^:\s*string\s*$/.test(type)) return "text";
  if (/^:\s*number\s*$/.test(type)) return "number";
  if (init === null) return "value";
  if (init.type === "ArrayExpression") return "list";
  if (init.type === "AwaitExpression") return "awaited";
  if (init.type === "TemplateLiteral") return "text";
  if (isFunction(init)) return "function";
  if (init.type === "Literal") {
    return ({ string: "text", number: "number", boolean: "flag" } as const)[typeof init.value as "string"] ?? "value";
  }
  const callee = init.type === "CallExpression" ? child(init, "callee") : null;
  const method = callee?.type === "MemberExpression" ? child(callee, "property") : null;
  return ["filter", "map", "slice", "flatMap", "concat"].includes(String(method?.name)) ? "list" : "value";
}

function isReassigned(code: Code, { name, scope }: Pick<Variable, "name" | "scope">): boolean {
  return code.nodes.some(({ node, above }) => {
    const target = child(node, node.type === "UpdateExpression" ? "argument" : "left");
    const changes = node.type === "AssignmentExpression" || node.type === "UpdateExpression";
    return changes && target?.type === "Identifier" && target.name === name && above.includes(scope);
  });
}

/** Where variables are read: as a value, not as a name that is declared, assigned or asked of an object. */
export function readsOf(code: Code): Read[] {
  const variables = variablesOf(code);
  return code.nodes.flatMap((place) => {
    if (place.node.type !== "Identifier" || !isRead(place)) return [];
    const variable = known(variables, place).find(({ name }) => name === place.node.name);
    return variable ? [{ ...place, variable }] : [];
  });
}

/** Variables known at a place and declared before it, the innermost first. */
export function known(variables: readonly Variable[], { node, above }: Pick<Placed, "node" | "above">): Variable[] {
  return variables
    .filter(({ scope, id }) => above.includes(scope) && id.end <= node.start)
    .sort((a, b) => above.indexOf(b.scope) - above.indexOf(a.scope));
}

function isRead({ node, parent, above }: Placed): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return child(parent, "object") === node || parent.computed === true;
    case "Property":
      // `{ tools }` has one piece of text for the key and the value.
      return child(parent, "value") === node && above.at(-2)?.type === "ObjectExpression";
    case "VariableDeclarator":
      return child(parent, "init") === node;
    case "AssignmentExpression":
      return child(parent, "left") !== node || parent.operator !== "=";
    case "AssignmentPattern":
      return child(parent, "right") === node;
    case "CatchClause":
    case "ExportSpecifier":
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "ArrayPattern":
    case "RestElement":
    case "UpdateExpression":
      return false;
    default:
      return !(isFunction(parent) && child(parent, "body") !== node) && isNode(node);
  }
}

/** What to write so that something else is read there. */
export function readInstead({ node, parent }: Pick<Read, "node" | "parent">, name: string): string {
  return parent.type === "Property" && parent.shorthand === true ? `${String(node.name)}: ${name}` : name;
}
