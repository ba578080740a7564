import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { nameOf } from "./patterns.ts";
import { bare, boundBy, isFunction, type Node, nodesIn, parsed, readBy, spotOf } from "./syntax.ts";

/** The `new Promise` whose function never touches its `resolve`, so that nothing can fulfil it; null where there is none, or several. */
export function neverResolved(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, isNeverResolved).map((node) => spotOf(file, node.start)),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isNeverResolved(node: Node): boolean {
  if (node.type !== "NewExpression" || nameOf(bare(node.callee as Node)) !== "Promise") return false;
  const [given] = node.arguments as (Node | undefined)[];
  if (given === undefined || !isFunction(bare(given))) return false;
  const { params, body } = bare(given) as Node & { params: Node[]; body: Node };
  const [resolve] = params;
  if (resolve === undefined) return nodesIn(body, ({ name }) => name === "arguments").length === 0;
  if (resolve.type === "RestElement") return false;
  const names = boundBy(resolve);
  return !readBy(body).some((name) => names.includes(name));
}
