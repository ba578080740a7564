import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { endOfCallee, methodOf } from "./patterns.ts";
import { bare, isFunction, isNode, type Node, nodesIn, type ParsedFile, parsed, spotOf } from "./syntax.ts";

/** Where the source keeps only the end of a list: `slice(-4)`, `shift()`, `splice(0, n)`. Null unless it does so in one place. */
export function keepsOnlyTheEnd(source: Source): Spot | null {
  return sole(source, (node) => {
    if (node.type !== "CallExpression") return false;
    const [first, second] = node.arguments as (Node | undefined)[];
    switch (methodOf(node)) {
      case "slice":
        return first?.type === "UnaryExpression" && first.operator === "-" && second === undefined;
      case "shift":
        return first === undefined;
      case "splice":
        return first?.type === "Literal" && first.value === 0;
      default:
        return false;
    }
  });
}

/** A `concat` whose new list goes nowhere: `messages.concat(…);`; the first of them. Null where there is none. */
export function discardedConcat(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, ({ type }) => type === "ExpressionStatement").flatMap((statement) => {
      const call = bare(statement.expression as Node);
      return call.type === "CallExpression" && methodOf(call) === "concat" ? [spotOf(file, endOfCallee(call))] : [];
    }),
  );
  return found[0] ?? null;
}

/** Where the source lets only some types of block through, `thinking` not among them. Null unless it does so in one place. */
export function filtersThinking(source: Source): Spot | null {
  return sole(source, (node) => {
    if (node.type !== "CallExpression" || methodOf(node) !== "filter") return false;
    const test = (node.arguments as Node[])[0];
    if (test === undefined || !isFunction(bare(test))) return false;
    const compared = (operator: string) =>
      nodesIn(test, (each) => each.type === "BinaryExpression" && each.operator === operator)
        .flatMap((each) => [each.left, each.right])
        .flatMap((side) => (isNode(side) && side.type === "Literal" ? [side.value] : []));
    const kept = compared("===");
    return compared("!==").includes("thinking") || (kept.includes("tool_use") && kept.includes("text"));
  });
}

/** The place of the one call that passes; null where none does, or several. */
function sole(source: Source, test: (node: Node) => boolean): Spot | null {
  const found = parsed(source).flatMap((file: ParsedFile) =>
    nodesIn(file.program, test).map((call) => spotOf(file, endOfCallee(call))),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}
