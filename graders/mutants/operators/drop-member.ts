import { dropMember, list, type Operator, ofType } from "../code.ts";

/** A list lacks one of its members. */
const dropMemberOfList: Operator = (code) =>
  ofType(code, "ArrayExpression").flatMap(({ node }) => {
    const elements = list(node, "elements");
    return elements.map((_, index) => [dropMember(elements, index)]);
  });

export default dropMemberOfList;
