import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { endOfCallee, methodOf, nameOf } from "./patterns.ts";
import { bare, type Node, nodesIn, parsed, spotOf } from "./syntax.ts";

/** The `content` of a tool result that the source writes as a fixed text, unless it is an error's; null where none is, or several. */
export function fixedContent(source: Source): Spot | null {
  const found = parsed(source).flatMap((file) =>
    nodesIn(file.program, (node) => node.type === "ObjectExpression").flatMap((object) => {
      const fields = (object.properties as Node[]).filter(({ type }) => type === "Property");
      const field = (name: string) => fields.find(({ key }) => nameOf(key as Node) === name);
      const content = field("content");
      if (!field("tool_use_id") || field("is_error") || !content) return [];
      return isFixedText(bare(content.value as Node)) ? [spotOf(file, content.start)] : [];
    }),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isFixedText(node: Node): boolean {
  if (node.type === "Literal") return typeof node.value === "string";
  return node.type === "TemplateLiteral" && (node.expressions as Node[]).length === 0;
}

/** Where the source takes any block whose type ends in `tool_use`, the API's own tools among them; null where it plainly does not. */
export function takesAnyToolUse(source: Source): Spot | null {
  for (const file of parsed(source)) {
    const hit = nodesIn(file.program, (node) => {
      if (node.type === "Literal") return node.value === "server_tool_use";
      if (node.type !== "CallExpression" || !["endsWith", "includes"].includes(methodOf(node) ?? "")) return false;
      const argument = (node.arguments as Node[])[0];
      const owner = bare((bare(node.callee as Node).object ?? node) as Node);
      const ofType = owner.type === "MemberExpression" && nameOf(owner.property as Node) === "type";
      return ofType && argument?.type === "Literal" && String(argument.value).endsWith("tool_use");
    })[0];
    if (hit) return spotOf(file, hit.type === "Literal" ? hit.start : endOfCallee(hit));
  }
  return null;
}
