import { type Operator, ofType, reoperate } from "../code.ts";

const OTHERS: Readonly<Record<string, readonly string[]>> = { "&&": ["||"], "||": ["&&", "??"], "??": ["||", "&&"] };

/** `&&`, `||` and `??` are mistaken for each other. */
const flipLogical: Operator = (code) =>
  ofType(code, "LogicalExpression").flatMap(({ node }) =>
    (OTHERS[String(node.operator)] ?? []).map((operator) => [reoperate(code, node, operator)]),
  );

export default flipLogical;
