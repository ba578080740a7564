import { child, isString, list, type Operator, ofType, replace } from "../code.ts";

/** A text is empty. */
const emptyString: Operator = (code) => [
  ...ofType(code, "Literal")
    .filter(({ node, parent }) => {
      const isKey = parent.type === "Property" && child(parent, "key") === node;
      const isStatement = parent.type === "ExpressionStatement";
      return isString(node) && node.value !== "" && !isKey && !isStatement && !parent.type.startsWith("Export");
    })
    .map(({ node }) => [replace(node, '""')]),
  ...ofType(code, "TemplateLiteral")
    .filter(({ node, parent }) => node.end - node.start > 2 && parent.type !== "TaggedTemplateExpression")
    .filter(({ node }) => list(node, "quasis").length > 0)
    .map(({ node }) => [replace(node, "``")]),
];

export default emptyString;
