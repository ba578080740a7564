import { child, type Operator, ofType, replace } from "../code.ts";

/** What is caught is swallowed. */
const emptyCatch: Operator = (code) =>
  ofType(code, "CatchClause").map(({ node }) => [replace(child(node, "body")!, "{}")]);

export default emptyCatch;
