import { type Operator, statementLists, swap } from "../code.ts";

/** Two neighbouring statements have changed places. */
const swapStatements: Operator = (code) =>
  statementLists(code).flatMap((statements) =>
    statements.slice(1).flatMap((second, index) => {
      const first = statements[index]!;
      const hoisted = [first, second].some(({ type }) => type === "FunctionDeclaration" || type.startsWith("Export"));
      return hoisted ? [] : [swap(code, first, second)];
    }),
  );

export default swapStatements;
