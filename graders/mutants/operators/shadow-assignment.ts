import { child, type Operator, ofType } from "../code.ts";

/** A new variable of the same name is made where the old one should change. */
const shadowAssignment: Operator = (code) =>
  ofType(code, "ExpressionStatement").flatMap(({ node }) => {
    const expression = child(node, "expression")!;
    const assigns = expression.type === "AssignmentExpression" && expression.operator === "=";
    if (!assigns || child(expression, "left")?.type !== "Identifier") return [];
    return [[{ start: node.start, end: node.start, text: "const " }]];
  });

export default shadowAssignment;
