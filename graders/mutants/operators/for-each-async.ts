import { child, isFunction, type Operator, ofType, replace, textOf } from "../code.ts";

/** `forEach` with an async function: nobody waits for its laps. */
const forEachAsync: Operator = (code) =>
  ofType(code, "ForOfStatement").flatMap(({ node }) => {
    const [left, right, body] = [child(node, "left")!, child(node, "right")!, child(node, "body")!];
    const declarator = left.type === "VariableDeclaration" ? (left.declarations as (typeof left)[])[0] : undefined;
    if (!declarator || node.await === true || body.type !== "BlockStatement") return [];
    const own = code.nodes.filter(
      ({ node: each, above }) => above.includes(body) && !above.slice(above.indexOf(body)).some(isFunction) && each,
    );
    if (own.some(({ node: { type } }) => ["BreakStatement", "ReturnStatement", "YieldExpression"].includes(type)))
      return [];
    const jumps = own
      .filter(({ node: { type } }) => type === "ContinueStatement")
      .map(({ node }) => replace(node, "return;"));
    const name = textOf(code, child(declarator, "id")!);
    return [
      [
        { start: node.start, end: body.start, text: `${textOf(code, right)}.forEach(async (${name}) => ` },
        ...jumps,
        { start: body.end, end: body.end, text: ");" },
      ],
    ];
  });

export default forEachAsync;
