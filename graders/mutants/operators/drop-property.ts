import { dropMember, list, type Operator, ofType } from "../code.ts";

/** An object lacks one of its properties: `is_error`, `tools`, `tool_use_id`, `role`. */
const dropProperty: Operator = (code) =>
  ofType(code, "ObjectExpression").flatMap(({ node }) => {
    const properties = list(node, "properties");
    return properties.map((_, index) => [dropMember(properties, index)]);
  });

export default dropProperty;
