import { type Operator, ofType, replace } from "../code.ts";

/** A number, a cap among them, is one more, one less, or none. */
const shiftNumber: Operator = (code) =>
  ofType(code, "Literal").flatMap(({ node }) => {
    if (typeof node.value !== "number") return [];
    const value = node.value;
    return [...new Set([value + 1, value - 1, 0])]
      .filter((other) => other !== value)
      .map((other) => [replace(node, other < 0 ? `(${other})` : String(other))]);
  });

export default shiftNumber;
