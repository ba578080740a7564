/**
 * Weaves the loop guard into a student's source, and takes away what could lead the bundler to other files.
 * Only ever inserts, never a line break: every line stays the student's, and positions come back by subtraction.
 *
 * The runtime's end is `guard = { h, n, c(site, since) }`: `h` counts passes; once it reaches `n`, `c` looks at the clock.
 * A loop asks it at each pass, with `h` as it was when this activation of the loop began; a function with -1.
 */
import type { Spot } from "../../trace/events.ts";
import type { Position } from "./lines.ts";
import { editorLines, lastAtMost, scriptLines } from "./lines.ts";
import type { Node, Parsed } from "./parse.ts";
import type { Site } from "./program.ts";
import { walk } from "./walk.ts";

export interface Woven {
  code: string;
  /** The guard's sites in this file: the first has the id that was asked for, the others follow. */
  sites: Site[];
  /** What the file imports, in its order: specifiers of `import`, `export … from`, `import()` and `require()`. */
  imports: string[];
  /** First place that only CommonJS has, in a file that is no ES module. */
  commonJs: Spot | null;
  /** A position in `code` (lines as esbuild counts them) in the student's file. */
  original(position: Position): Position;
}

/** A piece of text to put in at an offset. */
interface Insert {
  at: number;
  text: string;
}

const LOOPS = new Set(["WhileStatement", "DoWhileStatement", "ForStatement", "ForInStatement", "ForOfStatement"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const TYPE_WRAPPERS = new Set([
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
]);

/**
 * @param name the file, for spots
 * @param firstSite id of the first loop or function in it
 * @returns null when the source nests too deep to be read
 */
export function weave(name: string, text: string, parsed: Parsed, firstSite: number): Woven | null {
  const inserts: Insert[] = [];
  const sites: Site[] = [];
  const imports: string[] = [];
  const lines = editorLines(text);
  const spotOf = ({ start }: Node): Spot => ({ file: name, ...lines.positionOf(start) });
  const guard = unusedName(text);
  let commonJs: Spot | null = null;

  const put = (at: number, piece: string) => inserts.push({ at, text: piece });
  const newSite = (kind: Site["kind"], node: Node): number => {
    sites.push({ kind, spot: spotOf(node) });
    return firstSite + sites.length - 1;
  };
  const check = (site: number, since: string) => `if(++${guard}.h>=${guard}.n)${guard}.n=${guard}.c(${site},${since});`;

  const atLeave = new Map<Node, Insert[]>();

  const enterLoop = (loop: Node, ancestors: readonly Node[]) => {
    const whole = labelled(loop, ancestors);
    const body = loop.body as Node;
    const site = newSite("loop", loop);
    const since = `${guard}_a${site}`;
    put(whole.start, `{const ${since}=${guard}.h;`);
    const close: Insert[] = [];
    if (body.type === "BlockStatement") {
      put(body.start + 1, check(site, since));
    } else {
      put(body.start, `{${check(site, since)}`);
      close.push({ at: body.end, text: "}" });
    }
    close.push({ at: whole.end, text: "}" });
    atLeave.set(loop, close);
  };

  const enterFunction = (func: Node, parent: Node | undefined) => {
    const body = func.body as Node | null;
    if (body === null) return; // an overload or a declaration: types only
    const site = newSite("function", isMethodOf(func, parent) ? parent : func);
    if (body.type === "BlockStatement") {
      const last = lastDirective(body);
      put(last ? last.end : body.start + 1, (last ? ";" : "") + check(site, "-1"));
    } else {
      put(body.start, `(++${guard}.h>=${guard}.n&&(${guard}.n=${guard}.c(${site},-1)),`);
      atLeave.set(func, [{ at: body.end, text: ")" }]);
    }
  };

  /** A request that is worked out at run time must not look like a pattern of files to the bundler. */
  const enterRequest = (source: Node | undefined, request: Node) => {
    if (source === undefined || source.type === "SpreadElement") return;
    const literal = stringOf(source);
    if (literal !== null) {
      imports.push(literal);
      return;
    }
    put(source.start, "(0,");
    atLeave.set(request, [{ at: source.end, text: ")" }]);
  };

  const enter = (node: Node, ancestors: readonly Node[]) => {
    if (LOOPS.has(node.type)) return enterLoop(node, ancestors);
    if (FUNCTIONS.has(node.type)) return enterFunction(node, ancestors.at(-1));
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
      case "TSExternalModuleReference": {
        const source = (node.source ?? node.expression) as Node | null | undefined;
        if (source) imports.push(String(source.value));
        return;
      }
      case "ImportExpression":
        return enterRequest(node.source as Node, node);
      case "CallExpression":
        if (isRequire(node.callee as Node)) enterRequest((node.arguments as Node[])[0], node);
        return;
      case "MemberExpression":
        if (!parsed.isModule && isCommonJsExport(node)) commonJs ??= spotOf(node);
        return;
      case "TSExportAssignment":
        commonJs ??= spotOf(node);
    }
  };
  const leave = (node: Node) => {
    for (const insert of atLeave.get(node) ?? []) inserts.push(insert);
  };

  if (!walk(parsed, { enter, leave })) return null;

  if (sites.length > 0) {
    // First of all, but after what must be first: a hashbang, directives.
    const last = lastDirective(parsed.program);
    inserts.unshift({
      at: last?.end ?? afterHashbang(text),
      text: `${last ? ";" : ""}import{guard as ${guard}}from"#guard";`,
    });
  }
  return { ...apply(withoutMapComments(text, parsed), inserts), sites, imports, commonJs };
}

/** A name that occurs nowhere in the file. */
function unusedName(text: string): string {
  let name = "__bucle";
  while (text.includes(name)) name += "_";
  return name;
}

/** The loop with all its labels: `continue` needs them right in front of it. */
function labelled(loop: Node, ancestors: readonly Node[]): Node {
  let whole = loop;
  for (let i = ancestors.length - 1; ancestors[i]?.type === "LabeledStatement"; i--) whole = ancestors[i] as Node;
  return whole;
}

/** A method's function begins at its parameters; its name stands in the parent. */
function isMethodOf(func: Node, parent: Node | undefined): parent is Node {
  if (parent === undefined || parent.value !== func) return false;
  return (
    parent.type === "MethodDefinition" ||
    (parent.type === "Property" && (parent.method === true || parent.kind !== "init"))
  );
}

function lastDirective(block: Node): Node | undefined {
  return (block.body as Node[]).findLast((statement) => typeof statement.directive === "string");
}

function afterHashbang(text: string): number {
  return /^#!.*(?:\r\n|[\n\r\u2028\u2029])?/.exec(text)?.[0].length ?? 0;
}

function bare(node: Node): Node {
  let inner = node;
  while (TYPE_WRAPPERS.has(inner.type)) inner = inner.expression as Node;
  return inner;
}

/** The string an expression is, as it is written; null when it must be worked out. */
function stringOf(source: Node): string | null {
  const inner = bare(source);
  if (inner.type === "Literal") return typeof inner.value === "string" ? inner.value : null;
  if (inner.type !== "TemplateLiteral" || (inner.expressions as Node[]).length > 0) return null;
  const [quasi] = inner.quasis as { value: { cooked: string | null } }[];
  return quasi?.value.cooked ?? null;
}

function isRequire(callee: Node): boolean {
  const called = bare(callee);
  if (called.type === "MemberExpression") return isIdentifier(bare(called.object as Node), "require");
  return isIdentifier(called, "require");
}

function isCommonJsExport({ object, property }: Node): boolean {
  return (
    isIdentifier(object as Node, "exports") ||
    (isIdentifier(object as Node, "module") && isIdentifier(property as Node, "exports"))
  );
}

function isIdentifier(node: Node, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}

/** A `sourceMappingURL` makes the bundler read a file; a `sourceURL` would rename the frames. One letter less, same length. */
function withoutMapComments(text: string, { comments }: Parsed): string {
  let clean = text;
  for (const { start, end } of comments) {
    const comment = text.slice(start, end);
    const harmless = comment.replace(/source(Mapping)?URL/gi, (word) => `${word.slice(0, -1)}_`);
    if (harmless !== comment) clean = clean.slice(0, start) + harmless + clean.slice(end);
  }
  return clean;
}

function apply(text: string, inserts: Insert[]): Pick<Woven, "code" | "original"> {
  // Stable: at one offset the order of the visit stands, which is the source's.
  const ordered = [...inserts].sort((a, b) => a.at - b.at);
  const starts: number[] = [];
  let code = "";
  let copied = 0;
  for (const { at, text: piece } of ordered) {
    code += text.slice(copied, at);
    starts.push(code.length);
    code += piece;
    copied = at;
  }
  code += text.slice(copied);

  /** An offset in the woven code in the student's text; within an insert, where it was put. */
  const back = (offset: number): number => {
    const index = lastAtMost(starts, offset);
    const start = starts[index];
    const insert = ordered[index];
    if (start === undefined || insert === undefined || offset < start) return offset;
    return insert.at + Math.max(0, offset - start - insert.text.length);
  };
  let tables: { woven: ReturnType<typeof scriptLines>; student: ReturnType<typeof editorLines> } | null = null;
  return {
    code,
    original: (position) => {
      tables ??= { woven: scriptLines(code), student: editorLines(text) };
      return tables.student.positionOf(back(tables.woven.offsetOf(position)));
    },
  };
}
