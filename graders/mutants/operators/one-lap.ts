import { child, LOOPS, type Operator, ofType } from "../code.ts";

/** A loop goes round once at most; or goes once before it looks. */
const oneLap: Operator = (code) => [
  ...ofType(code, ...LOOPS).flatMap(({ node }) => {
    const body = child(node, "body")!;
    return body.type === "BlockStatement" ? [[{ start: body.end - 1, end: body.end - 1, text: "break; " }]] : [];
  }),
  ...ofType(code, "WhileStatement").map(({ node }) => {
    const [test, body] = [child(node, "test")!, child(node, "body")!];
    return [
      { start: node.start, end: body.start, text: "do " },
      { start: body.end, end: body.end, text: ` while (${code.text.slice(test.start, test.end)});` },
    ];
  }),
];

export default oneLap;
