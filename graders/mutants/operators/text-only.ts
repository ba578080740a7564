import { child, type Operator, ofType, replace, textOf } from "../code.ts";

/** Of a reply that goes into the history only the text is kept: as blocks, or as a string. */
const textOnly: Operator = (code) =>
  ofType(code, "Property").flatMap(({ node, parent }) => {
    const value = child(node, "value");
    const named = child(node, "key")?.name === "content" && parent.type === "ObjectExpression";
    if (!named || value?.type !== "MemberExpression" || child(value, "property")?.name !== "content") return [];
    const content = textOf(code, value);
    return [
      [replace(value, `${content}.filter((part) => part.type === "text")`)],
      [replace(value, `${content}.map((part) => (part.type === "text" ? part.text : "")).join("")`)],
    ];
  });

export default textOnly;
