import { type Code, type Edit, type Node, type Operator, ofType, reoperate, replace, textOf } from "../code.ts";

/** The opposite first, then the neighbour. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "<": [">=", "<="],
  "<=": [">", "<"],
  ">": ["<=", ">="],
  ">=": ["<", ">"],
};

/** A comparison is the opposite, or includes its limit, or leaves it out. */
const flipComparison: Operator = (code) =>
  ofType(code, "BinaryExpression").flatMap(({ node }) => {
    if (node.operator === "in" || node.operator === "instanceof") return [[replace(node, `!(${textOf(code, node)})`)]];
    return reoperated(code, node).map((edit) => [edit]);
  });

/** @returns the opposite of a comparison first; nothing for what is no comparison */
export function reoperated(code: Code, node: Node): Edit[] {
  return (OTHERS[String(node.operator)] ?? []).map((operator) => reoperate(code, node, operator));
}

export default flipComparison;
