import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { bare, isNode, type Node, nodesIn, type ParsedFile, parsed, spotOf, walk } from "./syntax.ts";

const COMPARISONS = ["<", "<=", ">", ">=", "===", "==", "!==", "!="];

/**
 * The comparison with a loop's cap: the only one of a submission that has the cap, or a number next to it, on one side,
 * as a number or as a variable that is given one. Null where there is none, or more than one.
 */
export function capCheck(source: Source, cap: number): Spot | null {
  const near = [cap - 1, cap, cap + 1];
  const found = parsed(source).flatMap((file) => {
    const values = numbersOf(file);
    const numberAt = (node: Node) =>
      numberIn(node) ?? (node.type === "Identifier" ? values.get(String(node.name)) : null);
    return nodesIn(file.program, (node) => {
      if (node.type !== "BinaryExpression" || !COMPARISONS.includes(String(node.operator))) return false;
      const sides = [bare(node.left as Node), bare(node.right as Node)].map(numberAt);
      return sides.some((value) => typeof value === "number" && near.includes(value));
    }).map((node) => spotOf(file, node.start));
  });
  return found.length === 1 ? found[0]! : null;
}

function numberIn(node: Node): number | null {
  return node.type === "Literal" && typeof node.value === "number" ? node.value : null;
}

/** Variables and parameters that begin as a number: a cap, or what is left of it. One that counts up begins far below. */
function numbersOf(file: ParsedFile): Map<string, number> {
  const values = new Map<string, number>();
  walk(file.program, (node) => {
    const [target, value] =
      node.type === "VariableDeclarator"
        ? [node.id, node.init]
        : node.type === "AssignmentPattern"
          ? [node.left, node.right]
          : [];
    if (!isNode(target) || !isNode(value) || target.type !== "Identifier") return;
    const number = numberIn(bare(value));
    if (number !== null) values.set(String(target.name), number);
  });
  return values;
}
