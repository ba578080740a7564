import { child, type Operator, ofType } from "../code.ts";

/** `?.` takes for granted what may be missing. */
const dropOptional: Operator = (code) =>
  ofType(code, "MemberExpression", "CallExpression")
    .filter(({ node }) => node.optional === true)
    .map(({ node }) => {
      const end = (child(node, "object") ?? child(node, "callee"))!.end;
      const start = code.text.indexOf("?.", end);
      const plain = node.type === "MemberExpression" && node.computed !== true;
      return [{ start, end: start + 2, text: plain ? "." : "" }];
    });

export default dropOptional;
