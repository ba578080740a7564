import { decisions, type Operator, replace } from "../code.ts";

/** A condition always holds, or never: so a cap is dropped, a guard, a branch. */
const forceCondition: Operator = (code) =>
  decisions(code).flatMap((test) => [[replace(test, "true")], [replace(test, "false")]]);

export default forceCondition;
