import { child, type Operator, ofType, replace, textOf } from "../code.ts";

/** A promise is not waited for. */
const dropAwait: Operator = (code) =>
  ofType(code, "AwaitExpression").map(({ node }) => [replace(node, textOf(code, child(node, "argument")!))]);

export default dropAwait;
