import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { nameOf } from "./patterns.ts";
import { bare, type Node, parsed, spotOf, walk } from "./syntax.ts";

/** Where the source decides by the stop reason, if it does so in one place alone; null where it reads it nowhere, or in several. */
export function soleStopReasonTest(source: Source): Spot | null {
  const reads: (Spot | null)[] = [];
  for (const file of parsed(source)) {
    walk(file.program, (node, above) => {
      if (!isStopReason(node, above)) return;
      reads.push(isTested(node, above) ? spotOf(file, node.start) : null);
    });
  }
  return reads.length === 1 ? (reads[0] ?? null) : null;
}

function isStopReason(node: Node, above: readonly Node[]): boolean {
  if (node.type === "MemberExpression") return nameOf(node.property as Node) === "stop_reason";
  if (node.type !== "Identifier" || nameOf(node) !== "stop_reason") return false;
  // Not the name in `a.stop_reason`, nor the one that a pattern or an object gives it.
  const parent = above.at(-1);
  return parent?.type !== "MemberExpression" && parent?.type !== "Property";
}

/** Whether what is read is compared, switched on, or looked for in a list. */
function isTested(node: Node, above: readonly Node[]): boolean {
  const outer = above.findLastIndex((each) => bare(each) !== bare(node));
  const parent = above[outer];
  const whole = above[outer + 1] ?? node;
  if (parent?.type === "BinaryExpression") return true;
  if (parent?.type === "SwitchStatement") return parent.discriminant === whole;
  return parent?.type === "CallExpression" && parent.callee !== whole;
}
