import { child, LOOPS, list, type Operator, ofType, replace, statementLists } from "../code.ts";

/** A statement is missing; a branch or a loop's body is empty. */
const dropStatement: Operator = (code) => [
  ...statementLists(code)
    .flat()
    .filter(({ type }) => !type.startsWith("Export"))
    .map((statement) => [replace(statement, "")]),
  ...ofType(code, "IfStatement", ...LOOPS).flatMap(({ node }) =>
    [child(node, "consequent"), child(node, "alternate"), child(node, "body")].flatMap((branch) =>
      branch && !(branch.type === "BlockStatement" && list(branch, "body").length === 0)
        ? [[replace(branch, "{}")]]
        : [],
    ),
  ),
];

export default dropStatement;
