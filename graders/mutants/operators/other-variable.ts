import { type Operator, replace } from "../code.ts";
import { known, readInstead, readsOf, variablesOf } from "../variables.ts";

/** Another variable of the same kind is read. */
const otherVariable: Operator = (code) => {
  const variables = variablesOf(code);
  return readsOf(code).flatMap((read) => {
    const like = known(variables, read).filter(
      ({ kind, name }) => kind === read.variable.kind && name !== read.variable.name,
    );
    return [...new Set(like.map(({ name }) => name))].map((name) => [replace(read.node, readInstead(read, name))]);
  });
};

export default otherVariable;
