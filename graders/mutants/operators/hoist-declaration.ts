import { child, LOOPS, list, type Operator, ofType, replace, textOf } from "../code.ts";

/** What should begin anew on each lap is made once, before the loop. */
const hoistDeclaration: Operator = (code) =>
  ofType(code, ...LOOPS).flatMap(({ node }) =>
    list(child(node, "body")!, "body")
      .filter(({ type }) => type === "VariableDeclaration")
      .map((declaration) => [
        { start: node.start, end: node.start, text: `${textOf(code, declaration)} ` },
        replace(declaration, ""),
      ]),
  );

export default hoistDeclaration;
