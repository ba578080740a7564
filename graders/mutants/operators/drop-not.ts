import { child, type Operator, ofType, replace, textOf } from "../code.ts";

/** A `!`, a minus or a `typeof` is missing. */
const dropNot: Operator = (code) =>
  ofType(code, "UnaryExpression")
    .filter(({ node }) => ["!", "-", "typeof"].includes(String(node.operator)))
    .map(({ node }) => [replace(node, textOf(code, child(node, "argument")!))]);

export default dropNot;
