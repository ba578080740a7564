import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { endOfCallee, methodOf, nameOf } from "./patterns.ts";
import { bare, type Node, nodesIn, parsed, spotOf } from "./syntax.ts";

const WAITS = ["setTimeout", "setInterval", "setImmediate"];

/** The only place where a submission sets a timer; null where it sets none, or several. */
export function soleTimer(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, (node) => {
      if (node.type !== "CallExpression") return false;
      return WAITS.includes(methodOf(node) ?? nameOf(bare(node.callee as Node)) ?? "");
    }).map((call) => spotOf(file, endOfCallee(call))),
  );
  return found.length === 1 ? found[0]! : null;
}
