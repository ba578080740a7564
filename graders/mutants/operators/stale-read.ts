import { type Code, child, LOOPS, type Operator, replace } from "../code.ts";
import { type Read, readInstead, readsOf } from "../variables.ts";

/** What a variable held at first is read where it has changed since: the first response, the history as it began. */
const staleRead: Operator = (code) =>
  readsOf(code).flatMap((read) => {
    const { name, statement, kind } = read.variable;
    if (statement === null || grows(read) || !changesBefore(code, read)) return [];
    const first = `first${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const copy = kind === "list" ? `[...${name}]` : name;
    return [
      [
        { start: statement.end, end: statement.end, text: ` const ${first} = ${copy};` },
        replace(read.node, readInstead(read, first)),
      ],
    ];
  });

/** `list.push(…)` changes the list: a copy that grows instead is another mistake. */
function grows({ node, parent, above }: Pick<Read, "node" | "parent" | "above">): boolean {
  const called = above.at(-2)?.type === "CallExpression" && child(above.at(-2)!, "callee") === parent;
  return called && child(parent, "object") === node && /^(push|unshift|splice|pop|shift)$/.test(nameOf(parent));
}

function nameOf(member: { [key: string]: unknown }): string {
  return String((member.property as { name?: unknown }).name);
}

/** Whether the variable may have changed by then: further up, or in a loop that comes round to the place again. */
function changesBefore(code: Code, { node, above, variable }: Read): boolean {
  const loops = above.filter((each) => LOOPS.includes(each.type) && each.start > variable.id.end);
  return code.nodes.some((place) => {
    const { node: each, parent } = place;
    if (each.type !== "Identifier" || each.name !== variable.name || !place.above.includes(variable.scope))
      return false;
    const assigned = parent.type === "AssignmentExpression" && child(parent, "left") === each;
    if (!assigned && !(variable.kind === "list" && parent.type === "MemberExpression" && grows(place))) return false;
    return each.start < node.start || loops.some((loop) => place.above.includes(loop));
  });
}

export default staleRead;
