import { child, type Operator, ofType, replace, textOf } from "../code.ts";

/** `...list` is the list itself. */
const dropSpread: Operator = (code) =>
  ofType(code, "SpreadElement")
    .filter(({ parent }) => parent.type !== "ObjectExpression")
    .map(({ node }) => [replace(node, textOf(code, child(node, "argument")!))]);

export default dropSpread;
