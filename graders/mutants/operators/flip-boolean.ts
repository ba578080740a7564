import { type Operator, ofType, replace } from "../code.ts";

/** `true` is `false`. */
const flipBoolean: Operator = (code) =>
  ofType(code, "Literal")
    .filter(({ node }) => typeof node.value === "boolean")
    .map(({ node }) => [replace(node, String(!node.value))]);

export default flipBoolean;
