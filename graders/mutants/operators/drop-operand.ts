import { child, type Operator, ofType, replace, textOf } from "../code.ts";

/** One half of `a && b`, `a || b` or `a ?? b` is missing: so a cap beside another condition is dropped. */
const dropOperand: Operator = (code) =>
  ofType(code, "LogicalExpression").flatMap(({ node }) =>
    ["left", "right"].map((side) => [replace(node, textOf(code, child(node, side)!))]),
  );

export default dropOperand;
