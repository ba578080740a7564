import { child, type Operator, ofType, replace, textOf } from "../code.ts";

/** One step of a chain is missing: nothing is filtered, mapped, joined or cut. */
const dropMethod: Operator = (code) =>
  ofType(code, "CallExpression").flatMap(({ node, parent }) => {
    const callee = child(node, "callee");
    const owner = callee?.type === "MemberExpression" ? child(callee, "object") : null;
    if (!owner || /^[A-Z]/.test(String(owner.name ?? "")) || parent.type === "ExpressionStatement") return [];
    return [[replace(node, textOf(code, owner))]];
  });

export default dropMethod;
