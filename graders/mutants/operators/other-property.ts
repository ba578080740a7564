import { child, type Operator, ofType, replace } from "../code.ts";

/** Another property of the same thing is read: the call's name where its id belongs. */
const otherProperty: Operator = (code) => {
  const reads = ofType(code, "MemberExpression").flatMap(({ node, parent }) => {
    const [owner, property] = [child(node, "object"), child(node, "property")];
    const called = parent.type === "CallExpression" && child(parent, "callee") === node;
    if (owner?.type !== "Identifier" || node.computed === true || !property || called) return [];
    return [{ owner: String(owner.name), property }];
  });
  const namesOf = (owner: string) =>
    new Set(reads.filter((each) => each.owner === owner).map(({ property }) => String(property.name)));
  return reads.flatMap(({ owner, property }) =>
    [...namesOf(owner)].filter((name) => name !== property.name).map((name) => [replace(property, name)]),
  );
};

export default otherProperty;
