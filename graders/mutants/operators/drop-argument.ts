import { dropMember, list, type Operator, ofType } from "../code.ts";

/** A function is called with an argument less. */
const dropArgument: Operator = (code) =>
  ofType(code, "CallExpression", "NewExpression").flatMap(({ node }) => {
    const given = list(node, "arguments");
    return given.map((_, index) => [dropMember(given, index)]);
  });

export default dropArgument;
