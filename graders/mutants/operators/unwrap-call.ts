import { child, list, type Operator, ofType, replace, textOf } from "../code.ts";

/** What a function is given is used as it is: the output for its text, the request for its reply. */
const unwrapCall: Operator = (code) =>
  ofType(code, "CallExpression").flatMap(({ node }) => {
    const [given, ...more] = list(node, "arguments");
    if (!given || given.type === "SpreadElement" || more.length > 0) return [];
    const callee = child(node, "callee")!;
    const owner = callee.type === "MemberExpression" ? child(callee, "object") : null;
    const isFunction = callee.type === "Identifier" || /^[A-Z]/.test(String(owner?.name ?? ""));
    return isFunction ? [[replace(node, `(${textOf(code, given)})`)]] : [];
  });

export default unwrapCall;
