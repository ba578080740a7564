import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { bare, boundBy, isFunction, isNode, type Node, nodesIn, parsed, spotOf } from "./syntax.ts";

/** Methods that change what they are called on. */
const CHANGING = ["push", "unshift", "splice", "pop", "shift", "set", "add", "delete", "clear", "append"];

/** A variable outside every function that some function changes: what one run leaves in it, the next one finds. */
export interface ModuleState {
  name: string;
  spot: Spot;
}

/** The first such variable of a submission; null where there is none, or a function has one of its own by the same name. */
export function moduleState(source: Source): ModuleState | null {
  for (const file of parsed(source)) {
    const statements = (file.program.body as Node[]).map((node) =>
      node.type === "ExportNamedDeclaration" && isNode(node.declaration) ? node.declaration : node,
    );
    const changed = changedInFunctions(file.program);
    for (const statement of statements) {
      if (statement.type !== "VariableDeclaration") continue;
      for (const declarator of statement.declarations as Node[]) {
        const name = boundBy(declarator.id as Node).find((each) => changed.has(each));
        if (name !== undefined && !isBoundInside(file.program, name))
          return { name, spot: spotOf(file, declarator.start) };
      }
    }
  }
  return null;
}

/** Names that some function assigns, or changes the content of. */
function changedInFunctions(program: Node): Set<string> {
  const names = new Set<string>();
  nodesIn(program, (node, above) => {
    if (!above.some(isFunction)) return false;
    if (node.type === "AssignmentExpression") for (const name of rootsOf(node.left as Node)) names.add(name);
    if (node.type === "UpdateExpression") for (const name of rootsOf(node.argument as Node)) names.add(name);
    if (node.type === "CallExpression") {
      const callee = bare(node.callee as Node);
      if (callee.type !== "MemberExpression") return false;
      const property = callee.property as Node;
      if (property.type === "Identifier" && CHANGING.includes(String(property.name)))
        for (const name of rootsOf(callee.object as Node)) names.add(name);
    }
    return false;
  });
  return names;
}

/** The variables at the root of what is written to: `state` in `state.messages[0]`. */
function rootsOf(target: Node): string[] {
  const node = bare(target);
  return node.type === "MemberExpression" ? rootsOf(node.object as Node) : boundBy(node);
}

/** Whether some function declares the name for itself, as a variable or a parameter. */
function isBoundInside(program: Node, name: string): boolean {
  return (
    nodesIn(program, (node, above) => {
      if (isFunction(node)) return (node.params as Node[]).some((parameter) => boundBy(parameter).includes(name));
      if (node.type !== "VariableDeclarator" || !above.some(isFunction)) return false;
      return boundBy(node.id as Node).includes(name);
    }).length > 0
  );
}
