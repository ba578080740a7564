import { type Operator, ofType, reoperate, replace, textOf } from "../code.ts";

const OTHERS: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "**": "*",
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "/=": "*=",
  "??=": "=",
  "||=": "=",
  "&&=": "=",
};

/** Up is down, times is divided by; a sum is not gathered but replaced. */
const flipArithmetic: Operator = (code) => [
  ...ofType(code, "BinaryExpression", "AssignmentExpression").flatMap(({ node }) => {
    const operator = OTHERS[String(node.operator)];
    if (operator === undefined) return [];
    const gathers = node.operator === "+=" || node.operator === "-=";
    return [[reoperate(code, node, operator)], ...(gathers ? [[reoperate(code, node, "=")]] : [])];
  }),
  ...ofType(code, "UpdateExpression").map(({ node }) => {
    const [from, to] = node.operator === "++" ? ["++", "--"] : ["--", "++"];
    return [replace(node, textOf(code, node).replace(from!, to!))];
  }),
];

export default flipArithmetic;
