import { type Operator, ofType, replace } from "../code.ts";

/** What is caught is thrown on, as if nothing caught it. */
const rethrow: Operator = (code) =>
  ofType(code, "CatchClause").map(({ node }) => [replace(node, "catch (thrown) { throw thrown; }")]);

export default rethrow;
