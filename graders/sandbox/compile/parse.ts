/**
 * Source text to syntax tree, safely: the parser is native code and recurses. Deep nesting overflows its stack and
 * takes the whole process with it (64 KB of `!` do), and some nestings cost memory by the square of their depth.
 * A short file cannot nest deep enough for either and is parsed here; any other in a process of its own.
 */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { IS_WINDOWS } from "../platform.ts";

/** A node of the tree (ESTree with TypeScript's nodes). Offsets are UTF-16 units in the text. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export interface Comment {
  start: number;
  end: number;
  value: string;
}

export interface Parsed {
  program: Node;
  comments: Comment[];
  /** Whether it has an `import`, an `export` or `import.meta`. */
  isModule: boolean;
  /** Per type of node, the keys under which its children are, in source order. */
  childKeys: Readonly<Record<string, readonly string[]>>;
}

/** `message` is the parser's own. */
export type ParseFault = { kind: "syntax"; message: string; start: number; end: number } | { kind: "too-deep" };

/**
 * Nesting costs the parser up to 2.1 KB of stack a token (measured over all its constructs); the main thread has 8 MB,
 * on Windows 1 MB. So many tokens fit, whatever they are.
 */
const SAFE_TOKENS = IS_WINDOWS ? 300 : 2500;
/** The other process: how long it may take, and how much memory. An honest 64 KB need 0.3 s and 150 MB. */
const APART_MS = 8_000;
const APART_RSS_BYTES = 512 * 1024 * 1024;
const APART_OUTPUT_BYTES = 64 * 1024 * 1024;

const OPTIONS = { sourceType: "module", astType: "ts" } as const;

/** Loads the parser; a CLI calls this early and waits for nothing. */
export async function loadParser(): Promise<typeof import("oxc-parser")> {
  return import("oxc-parser");
}

/** @param name decides by its extension whether types are allowed */
export async function parse(
  name: string,
  text: string,
): Promise<{ ok: true; value: Parsed } | { ok: false; fault: ParseFault }> {
  const oxc = await loadParser();
  const lang = /\.m?ts$/.test(name) ? "ts" : "js";
  const result =
    tokensAtMost(text) <= SAFE_TOKENS
      ? read(oxc.parseSync(name, text, { ...OPTIONS, lang }))
      : await parseApart(lang, text);
  if (result === null) return { ok: false, fault: { kind: "too-deep" } };
  const error = result.errors.find(({ severity }) => severity === "Error");
  if (error) {
    const at = error.labels[0] ?? { start: 0, end: 0 };
    return { ok: false, fault: { kind: "syntax", message: error.message, start: at.start, end: at.end } };
  }
  const { program, comments, isModule } = result;
  return { ok: true, value: { program, comments, isModule, childKeys: oxc.visitorKeys } };
}

interface Read {
  program: Node;
  comments: Comment[];
  errors: { severity: string; message: string; labels: { start: number; end: number }[] }[];
  isModule: boolean;
}

function read(result: import("oxc-parser").ParseResult): Read {
  return {
    program: result.program as unknown as Node,
    comments: result.comments,
    errors: result.errors,
    isModule: result.module.hasModuleSyntax,
  };
}

/** An upper bound: every token has a character of its own that begins one of these. */
function tokensAtMost(text: string): number {
  return text.match(/\w+|[^\s\w]/g)?.length ?? 0;
}

/** Reads text from stdin, writes the tree as JSON; a thread beside the busy one watches the memory. */
const APART = `
const { Worker } = require("node:worker_threads");
new Worker("setInterval(() => process.memoryUsage.rss() > ${APART_RSS_BYTES} && process.kill(process.pid, 'SIGKILL'), 10)", { eval: true }).unref();
const [, parser, lang] = process.argv;
import(parser).then(({ parseSync }) => {
  const { program, comments, errors, module } = parseSync("a", require("node:fs").readFileSync(0, "utf8"), { ...${JSON.stringify(OPTIONS)}, lang });
  const bigintless = (key, value) => (typeof value === "bigint" ? null : value);
  process.stdout.write(JSON.stringify({ program, comments, errors, isModule: module.hasModuleSyntax }, bigintless));
});`;

/** @returns null when the parser died of it, took too long or too much */
function parseApart(lang: string, text: string): Promise<Read | null> {
  const parser = pathToFileURL(createRequire(import.meta.url).resolve("oxc-parser")).href;
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ["-e", APART, parser, lang],
      {
        timeout: APART_MS,
        killSignal: "SIGKILL",
        maxBuffer: APART_OUTPUT_BYTES,
        env: { ...process.env, NODE_OPTIONS: "" },
        windowsHide: true,
      },
      (error, out) => {
        if (error?.code === "ENOENT" || error?.code === "EAGAIN") return reject(error); // no process at all: not the file's fault
        resolve(error ? null : (JSON.parse(out) as Read));
      },
    );
    child.stdin?.on("error", () => {}); // it may die before it has read everything
    child.stdin?.end(text);
  });
}
