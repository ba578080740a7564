import { child, type Operator, ofType, replace } from "../code.ts";

/** The newest is put first. */
const pushToUnshift: Operator = (code) =>
  ofType(code, "CallExpression").flatMap(({ node }) => {
    const callee = child(node, "callee");
    const method = callee?.type === "MemberExpression" ? child(callee, "property") : null;
    return method?.name === "push" ? [[replace(method, "unshift")]] : [];
  });

export default pushToUnshift;
