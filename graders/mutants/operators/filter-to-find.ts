import { child, type Operator, ofType, replace } from "../code.ts";

/** Only the first match is taken, or only the last, where all of them are meant; or nothing is sifted. */
const filterToFind: Operator = (code) =>
  ofType(code, "CallExpression").flatMap(({ node }) => {
    const callee = child(node, "callee");
    const method = callee?.type === "MemberExpression" ? child(callee, "property") : null;
    if (method?.name !== "filter") return [];
    const cut = (text: string) => [replace({ start: node.end, end: node.end }, text)];
    return [
      [
        { start: node.start, end: node.start, text: "[" },
        replace(method, "find"),
        { start: node.end, end: node.end, text: "!]" },
      ],
      cut(".slice(0, 1)"),
      cut(".slice(-1)"),
      cut(".slice(1)"),
      cut(".reverse()"),
    ];
  });

export default filterToFind;
