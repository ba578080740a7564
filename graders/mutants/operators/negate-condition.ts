import { decisions, type Operator, replace, textOf } from "../code.ts";

/** A condition is the wrong way round. */
const negateCondition: Operator = (code) => decisions(code).map((test) => [replace(test, `!(${textOf(code, test)})`)]);

export default negateCondition;
