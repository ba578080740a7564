import { list, type Operator, ofType, swap } from "../code.ts";

/** Two neighbouring arguments, or members of a list, have changed places. */
const swapArguments: Operator = (code) =>
  ofType(code, "CallExpression", "NewExpression", "ArrayExpression").flatMap(({ node }) => {
    const given = list(node, node.type === "ArrayExpression" ? "elements" : "arguments");
    return given.slice(1).map((second, index) => swap(code, given[index]!, second));
  });

export default swapArguments;
