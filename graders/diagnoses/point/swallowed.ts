import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { endOfCallee, isToolRun, methodOf } from "./patterns.ts";
import { bare, isNode, modelCalls, type Node, nodesIn, type ParsedFile, parsed, spotOf } from "./syntax.ts";

/**
 * Where the source catches what a call of the model throws: the `catch` of a `try`, or of a promise.
 * @param made the line the request was made on: of several, the innermost round it. Null where there is none, or it cannot be told which
 */
export function catchOfModel(source: Source, made: Spot | null): Spot | null {
  const found = parsed(source).flatMap((file) => {
    const asksModel = modelCalls(file);
    return nodesIn(file.program, isCatch).flatMap((node) => {
      const { guarded, at } = partsOf(node);
      if (nodesIn(guarded, asksModel).length === 0) return [];
      return [{ spot: spotOf(file, at), round: made !== null && isRound(file, guarded, made) }];
    });
  });
  const round = found.findLast((each) => each.round);
  return (round ?? (found.length === 1 ? found[0] : undefined))?.spot ?? null;
}

/** The one `catch` round the run of a tool that has nothing in it: an error that gets there is gone. Null where there is none, or several. */
export function emptyCatchOfTool(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, ({ type, handler }) => type === "TryStatement" && isNode(handler)).flatMap((node) => {
      const handler = node.handler as Node & { body: Node };
      const isEmpty = (handler.body.body as Node[]).length === 0;
      return isEmpty && nodesIn(node.block as Node, isToolRun).length > 0 ? [spotOf(file, handler.start)] : [];
    }),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isCatch(node: Node): boolean {
  return (
    (node.type === "TryStatement" && isNode(node.handler)) ||
    (node.type === "CallExpression" && methodOf(node) === "catch")
  );
}

/** What is looked after, and where the code that does so begins. */
function partsOf(node: Node): { guarded: Node; at: number } {
  if (node.type === "TryStatement") return { guarded: node.block as Node, at: (node.handler as Node).start };
  return { guarded: bare(node.callee as Node).object as Node, at: endOfCallee(node) };
}

function isRound(file: ParsedFile, node: Node, near: Spot): boolean {
  return (
    near.file === file.name && spotOf(file, node.start).line <= near.line && near.line <= spotOf(file, node.end).line
  );
}
