import { LOOPS, type Operator, ofType, replace } from "../code.ts";

/** `continue` and `break` are mistaken for each other. */
const jump: Operator = (code) => [
  ...ofType(code, "ContinueStatement").map(({ node }) => [replace(node, "break;")]),
  ...ofType(code, "BreakStatement")
    .filter(({ above }) => above.some(({ type }) => LOOPS.includes(type)))
    .map(({ node }) => [replace(node, "continue;")]),
];

export default jump;
