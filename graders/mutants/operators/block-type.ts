import { child, isString, type Operator, ofType, replace } from "../code.ts";

const BLOCK_TYPES = ["text", "tool_use", "thinking", "tool_result", "server_tool_use"];

/** Another kind of block is looked for. */
const blockType: Operator = (code) =>
  ofType(code, "BinaryExpression").flatMap(({ node }) => {
    const [left, right] = [child(node, "left")!, child(node, "right")!];
    const [type, other] = isString(right) ? [right, left] : [left, right];
    const property = other.type === "MemberExpression" ? child(other, "property") : other;
    if (!isString(type) || property?.name !== "type" || !BLOCK_TYPES.includes(type.value)) return [];
    return BLOCK_TYPES.filter((name) => name !== type.value).map((name) => [replace(type, JSON.stringify(name))]);
  });

export default blockType;
