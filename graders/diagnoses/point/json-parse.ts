import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { bare, type Node, nodesIn, parsed, spotOf } from "./syntax.ts";

/** The only `JSON.parse` of a submission; null where there is none, or more than one. */
export function jsonParse(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, (node) => {
      if (node.type !== "CallExpression") return false;
      const callee = bare(node.callee as Node);
      if (callee.type !== "MemberExpression" || callee.computed === true) return false;
      const object = bare(callee.object as Node);
      return (
        object.type === "Identifier" && object.name === "JSON" && String((callee.property as Node).name) === "parse"
      );
    }).map((node) => spotOf(file, node.start)),
  );
  return found.length === 1 ? found[0]! : null;
}
