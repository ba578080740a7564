import { child, type Operator, ofType, replace } from "../code.ts";

/** A function gives nothing back. */
const dropReturnValue: Operator = (code) => [
  ...ofType(code, "ReturnStatement").flatMap(({ node }) =>
    child(node, "argument") ? [[replace(node, "return;")]] : [],
  ),
  ...ofType(code, "ArrowFunctionExpression").flatMap(({ node }) => {
    const body = child(node, "body")!;
    return /^(BlockStatement|FunctionBody)$/.test(body.type) ? [] : [[replace(body, "undefined")]];
  }),
];

export default dropReturnValue;
