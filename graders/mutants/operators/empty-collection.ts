import { list, type Operator, ofType, replace } from "../code.ts";

/** A list or an object is empty. */
const emptyCollection: Operator = (code) => [
  ...ofType(code, "ArrayExpression")
    .filter(({ node }) => list(node, "elements").length > 0)
    .map(({ node }) => [replace(node, "[]")]),
  ...ofType(code, "ObjectExpression")
    .filter(({ node }) => list(node, "properties").length > 0)
    .map(({ node }) => [replace(node, "{}")]),
];

export default emptyCollection;
