import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import {
  bare,
  boundBy,
  isFunction,
  isNode,
  modelCalls,
  type Node,
  nodesIn,
  type ParsedFile,
  parsed,
  readBy,
  spotOf,
  walk,
} from "./syntax.ts";

/** A loop whose condition reads a variable that nothing in its body assigns. */
export interface StaleLoop {
  /** The loop, or the `if` in its body that would end it. */
  spot: Spot;
  /** The keyword at `spot`. */
  keyword: "while" | "for" | "do" | "if";
  variable: string;
  /** `never`: the body asks the model nothing. `discarded`: it asks, and the answer goes elsewhere. `shadowed`: into a new variable of the same name. */
  cause: "never" | "discarded" | "shadowed";
  /** The call whose answer is lost, or the declaration that shadows; null for `never`. */
  culprit: Spot | null;
}

const LOOPS: Readonly<Record<string, StaleLoop["keyword"]>> = {
  WhileStatement: "while",
  DoWhileStatement: "do",
  ForStatement: "for",
  ForOfStatement: "for",
};

/**
 * The stale loop of a submission, the one round `near` first.
 * @returns null where no loop is plainly stale: a variable assigned anywhere out of sight is not
 */
export function staleLoop(source: Source, near: Spot | null): StaleLoop | null {
  const found: { stale: StaleLoop; round: boolean }[] = [];
  for (const file of parsed(source)) {
    const asksModel = modelCalls(file);
    const fromModel = variablesFromModel(file, asksModel);
    for (const loop of nodesIn(file.program, (node) => node.type in LOOPS)) {
      const stale = staleIn(file, loop, fromModel, asksModel);
      if (stale !== null) found.push({ stale, round: near !== null && isRound(file, loop, near) });
    }
  }
  return (found.find(({ round }) => round) ?? found[0])?.stale ?? null;
}

function isRound(file: ParsedFile, node: Node, near: Spot): boolean {
  const last = spotOf(file, node.end).line;
  return near.file === file.name && spotOf(file, node.start).line <= near.line && near.line <= last;
}

/** Variables that hold a reply, or something taken from one. */
function variablesFromModel(file: ParsedFile, asksModel: (node: Node) => boolean): Set<string> {
  const names = new Set<string>();
  const writes = nodesIn(
    file.program,
    (node) => node.type === "VariableDeclarator" || node.type === "AssignmentExpression",
  );
  for (let pass = 0; pass < 3; pass++) {
    for (const write of writes) {
      const [target, value] = write.type === "VariableDeclarator" ? [write.id, write.init] : [write.left, write.right];
      if (!isNode(target) || !isNode(value) || isFunction(bare(value))) continue;
      const holds = nodesIn(value, asksModel).length > 0 || readBy(value).some((name) => names.has(name));
      if (holds) for (const name of boundBy(target)) names.add(name);
    }
  }
  return names;
}

function staleIn(
  file: ParsedFile,
  loop: Node,
  fromModel: ReadonlySet<string>,
  asksModel: (node: Node) => boolean,
): StaleLoop | null {
  const body = loop.body as Node;
  const declaredIn = (name: string) =>
    nodesIn(body, (node) => node.type === "VariableDeclarator" && boundBy(node.id as Node).includes(name));
  for (const { test, at, keyword } of conditions(loop, body)) {
    const candidates = new Set(readBy(test));
    for (const variable of candidates) {
      if (!fromModel.has(variable) || isAssigned(file, variable, loop)) continue;
      const declared = declaredIn(variable);
      const shadow = declared.find((node) => node.start > test.end || loop.test === test);
      if (declared.length > 0 && shadow === undefined) {
        // Made afresh on each pass: what it is made from may still be stale.
        const inits = declared.map((node) => node.init).filter(isNode);
        const fresh = inits.some((init) => nodesIn(init, asksModel).length > 0);
        if (!fresh) for (const init of inits) for (const name of readBy(init)) candidates.add(name);
        continue;
      }
      const call = nodesIn(body, asksModel)[0];
      const culprit = shadow ?? call;
      return {
        spot: spotOf(file, at.start),
        keyword,
        variable,
        cause: shadow ? "shadowed" : call ? "discarded" : "never",
        culprit: culprit ? spotOf(file, culprit.start) : null,
      };
    }
  }
  return null;
}

/** What ends a loop: its own test, and the ifs directly in its body that leave it. */
function conditions(loop: Node, body: Node): { test: Node; at: Node; keyword: StaleLoop["keyword"] }[] {
  const own = isNode(loop.test) ? [{ test: loop.test, at: loop, keyword: LOOPS[loop.type] ?? "while" }] : [];
  const statements = Array.isArray(body.body) ? body.body.filter(isNode) : [];
  const leaving = statements
    .filter(
      (node) =>
        node.type === "IfStatement" &&
        nodesIn(node, ({ type }) => type === "BreakStatement" || type === "ReturnStatement").length > 0,
    )
    .map((node) => ({ test: node.test as Node, at: node, keyword: "if" as const }));
  return [...own, ...leaving];
}

/** Whether the variable may get a new value once the loop goes round: in it, after it, or in another function. */
function isAssigned(file: ParsedFile, variable: string, loop: Node): boolean {
  let assigned = false;
  walk(file.program, (node, above) => {
    const target =
      node.type === "AssignmentExpression" ? node.left : node.type === "UpdateExpression" ? node.argument : null;
    if (!isNode(target) || !boundBy(target).includes(variable)) return;
    const home = above.findLast(isFunction) ?? file.program;
    const before = node.end <= loop.start && home.start <= loop.start && loop.end <= home.end;
    if (!before) assigned = true;
  });
  return assigned;
}
