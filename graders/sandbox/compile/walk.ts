import type { Node, Parsed } from "./parse.ts";

/** Deepest nesting of nodes that is read on: far beyond what a person writes, far below what breaks a parser. */
const MAX_DEPTH = 600;

export interface Visit {
  /** `ancestors`: outermost first, the parent last. */
  enter(node: Node, ancestors: readonly Node[]): void;
  leave(node: Node): void;
}

/**
 * Visits every node in source order, without recursion.
 * @returns false when the tree nests deeper than is read
 */
export function walk({ program, childKeys }: Parsed, { enter, leave }: Visit): boolean {
  const path: Node[] = [];
  const todo: Node[][] = [[program]];
  while (todo.length > 0) {
    const node = todo[todo.length - 1]?.pop();
    if (node === undefined) {
      todo.pop();
      const done = path.pop();
      if (done) leave(done);
      continue;
    }
    if (path.length >= MAX_DEPTH) return false;
    enter(node, path);
    path.push(node);
    todo.push(children(node, childKeys).reverse());
  }
  return true;
}

function children(node: Node, childKeys: Parsed["childKeys"]): Node[] {
  const found: Node[] = [];
  for (const key of childKeys[node.type] ?? []) {
    const value = node[key];
    if (Array.isArray(value)) found.push(...value.filter(isNode));
    else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
