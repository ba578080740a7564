/**
 * A submission to the one module that the child runs. Nothing but the submission's own texts goes in: no file is read,
 * no configuration is looked for, and what an import may mean is decided here (`resolve.ts`).
 */
import type { Message, OnLoadResult, OnResolveResult, PartialMessage } from "esbuild";
import type { Spot } from "../../trace/events.ts";
import type { Submission } from "../intake.ts";
import { SOURCE_URL } from "../source-url.ts";
import { type BundleOptions, build, loadBundler } from "./bundler.ts";
import { type Woven, weave } from "./guard.ts";
import { locator, nameRestorer } from "./maps.ts";
import { loadParser, parse } from "./parse.ts";
import type { Program, Refusal, Result, Site } from "./program.ts";
import { commonJs, meaningless, notJson, tooDeep, uncompilable, unreadable } from "./refusals.ts";
import { type Providers, resolveImport } from "./resolve.ts";

export { SOURCE_URL };

export interface CompileOptions {
  /** `file:` URL of the module that serves `#harness`, `#guard` and the SDK in the child. */
  runtimeUrl: string;
  /** Further bare specifiers, and the URL the child imports for each. */
  allow?: Readonly<Record<string, string>>;
  /** What `#harness` exports, types aside: with it, a wrong name is refused here instead of failing in the child. */
  harness?: readonly string[];
}

/** Namespace of the bundler's files: a submission's, under their own names; nothing of it is on a disk. */
const STUDENT = "student";
const HARNESS = "#harness";
/** What esbuild is told to begin with: a name that no file can have, since it looks in the current folder first. */
const ENTRY = `${STUDENT}:entry\0`;

/** Loads what compiling needs, in the background: both tools are slow to load. */
export function warmUp(): void {
  void Promise.all([loadBundler().then((esbuild) => esbuild.transform("")), loadParser()]).catch(() => {}); // compile() tells
}

/**
 * Compiles a submission.
 * @returns the program, or what its author can mend. Rejects only when the kit's own tools do not work.
 */
export async function compile(submission: Submission, options: CompileOptions): Promise<Result<Program>> {
  const woven = await weaveAll(submission, options.runtimeUrl);
  const entry = woven.files.get(submission.entry);
  if (entry?.ok !== true) return { ok: false, refusal: entry?.refusal ?? uncompilable(submission.entry) };

  const built = await bundle(submission, woven, options);
  if (built === null) return { ok: false, refusal: uncompilable(submission.entry) };
  if ("errors" in built) return { ok: false, refusal: firstRefusal(built.errors, submission, woven, options) };
  return {
    ok: true,
    value: {
      code: `${built.code}//# sourceURL=${SOURCE_URL}\n`,
      exports: built.exports,
      sites: woven.sites,
      locate: locator(built.map, (source) => {
        const name = source.replace(`${STUDENT}:`, "");
        const file = woven.files.get(name);
        return file?.ok === true ? { name, woven: file.value } : null;
      }),
      restoreNames: nameRestorer(built.code, built.map),
      source: { files: readable(submission, woven) },
    },
  };
}

/** The files that were read without harm, entry first. Whoever parses a source again must not meet any other. */
function readable({ files }: Submission, woven: WovenFiles): Program["source"]["files"] {
  const names = [...woven.files].filter(([, { ok }]) => ok).map(([name]) => name);
  return names.flatMap((name) => files.filter((file) => file.name === name));
}

interface WovenFiles {
  /** Of each file that the entry can reach, in the order in which they are first asked for. */
  files: Map<string, Result<Woven>>;
  sites: Site[];
}

/** Follows the imports from the entry, so that sites are numbered alike at every compilation. */
async function weaveAll(submission: Submission, runtimeUrl: string): Promise<WovenFiles> {
  const texts = new Map(submission.files.map(({ name, text }) => [name, text]));
  const all: WovenFiles = { files: new Map(), sites: [] };
  const todo = [submission.entry];
  for (const name of todo) {
    const text = texts.get(name);
    if (text === undefined || name.endsWith(".json") || all.files.has(name)) continue;
    const result = await weaveFile(name, text, all.sites.length);
    all.files.set(name, result);
    if (!result.ok) continue; // it matters only if the bundler asks for it: an import for types alone does not
    all.sites.push(...result.value.sites);
    for (const specifier of result.value.imports) {
      const resolved = resolveImport(specifier, name, false, submission, { runtimeUrl, allow: {} });
      if (resolved.kind === "file") todo.push(resolved.name);
    }
  }
  return all;
}

async function weaveFile(name: string, text: string, firstSite: number): Promise<Result<Woven>> {
  const parsed = await parse(name, text);
  if (!parsed.ok) return { ok: false, refusal: unreadable(name, text, parsed.fault) };
  const woven = weave(name, text, parsed.value, firstSite);
  if (woven === null) return { ok: false, refusal: tooDeep(name) };
  if (woven.commonJs) return { ok: false, refusal: commonJs(woven.commonJs) };
  return { ok: true, value: woven };
}

interface Bundle {
  code: string;
  map: string;
  exports: string[];
}

/** @returns the bundle, the bundler's errors, or null when a file stopped the bundler itself */
async function bundle(
  submission: Submission,
  woven: WovenFiles,
  options: CompileOptions,
): Promise<Bundle | { errors: Message[] } | null> {
  const built = await build(buildOptions(submission, woven, options));
  if (built === null || "errors" in built) return built;
  const [code, map] = [".js", ".js.map"].map(
    (end) => built.made.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "",
  );
  const output = Object.values(built.made.metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined);
  return { code: code ?? "", map: map ?? "", exports: output?.exports ?? [] };
}

function buildOptions(submission: Submission, woven: WovenFiles, options: CompileOptions): BundleOptions {
  const texts = new Map(submission.files.map(({ name, text }) => [name, text]));
  const { runtimeUrl, allow = {}, harness } = options;
  const providers: Providers = { runtimeUrl, allow };

  const resolve = (specifier: string, importer: string, required: boolean): OnResolveResult => {
    // From the module that stands in for the harness.
    if (importer === HARNESS) return { path: runtimeUrl, external: true };
    if (specifier === HARNESS && harness && !required) return { path: HARNESS, namespace: STUDENT };
    const resolved = resolveImport(specifier, importer, required, submission, providers);
    switch (resolved.kind) {
      case "file":
        return { path: resolved.name, namespace: STUDENT };
      case "external":
        return { path: resolved.url, external: true };
      case "refused":
        return { errors: [refusing(resolved.refusal)] };
    }
  };

  const load = (name: string): OnLoadResult => {
    if (name === HARNESS) {
      const names = (harness ?? []).join(", ");
      return { contents: `export { ${names} } from ${JSON.stringify(runtimeUrl)};`, loader: "js" };
    }
    const text = texts.get(name);
    if (name.endsWith(".json") && text !== undefined) {
      return isJson(text) ? { contents: text, loader: "json" } : { errors: [refusing(notJson(name))] };
    }
    const file = woven.files.get(name);
    if (file === undefined) return { errors: [refusing(uncompilable(name))] };
    if (!file.ok) return { errors: [refusing(file.refusal)] };
    return { contents: file.value.code, loader: /\.m?ts$/.test(name) ? "ts" : "js" };
  };

  return {
    entryPoints: [ENTRY],
    bundle: true,
    format: "esm",
    target: "node20",
    platform: "neutral",
    outfile: "program.js",
    write: false,
    metafile: true,
    sourcemap: "external",
    sourcesContent: false,
    treeShaking: false,
    ignoreAnnotations: true,
    legalComments: "none",
    charset: "utf8",
    logLevel: "silent",
    logLimit: 20,
    tsconfigRaw: "{}",
    plugins: [
      {
        name: "submission",
        setup: (hooks) => {
          hooks.onResolve({ filter: /.*/ }, ({ path, importer, kind }) =>
            kind === "entry-point"
              ? { path: submission.entry, namespace: STUDENT }
              : resolve(path, importer, kind.startsWith("require")),
          );
          hooks.onLoad({ filter: /.*/ }, ({ path, namespace }) =>
            namespace === STUDENT ? load(path) : { errors: [refusing(uncompilable(submission.entry))] },
          );
        },
      },
    ],
  };
}

/** An error of ours that passes through the bundler, which adds the place. */
function refusing(refusal: Refusal): PartialMessage {
  return { text: refusal.headline.en, detail: refusal };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function firstRefusal(
  errors: readonly Message[],
  submission: Submission,
  woven: WovenFiles,
  { harness = [] }: CompileOptions,
): Refusal {
  const order = [...woven.files.keys()];
  const rank = ({ location }: Message) => {
    const index = order.indexOf(location?.file.replace(`${STUDENT}:`, "") ?? "");
    return (index === -1 ? order.length : index) * 1e6 + (location?.line ?? 0);
  };
  const first = [...errors].sort((a, b) => rank(a) - rank(b))[0];
  if (first === undefined) return uncompilable(submission.entry);
  const at = spotOf(first, woven);
  const refusal = first.detail as Refusal | undefined;
  if (refusal) return { ...refusal, at: refusal.at ?? at };
  return meaningless(
    first.text,
    at,
    submission.entry,
    first.text.includes(`"${STUDENT}:${HARNESS}"`) ? harness : exportsOf(first.text, woven),
  );
}

/** Where the bundler says an error is, in the student's file. Its columns count bytes of the woven line. */
function spotOf({ location }: Message, woven: WovenFiles): Spot | null {
  const name = location?.file.replace(`${STUDENT}:`, "");
  const file = name === undefined ? undefined : woven.files.get(name);
  if (!location || name === undefined || file?.ok !== true) return null;
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return { file: name, ...file.value.original({ line: location.line, column: before.length + 1 }) };
}

/** Names that the file in a "No matching export" message exports, read off its source for a suggestion. */
function exportsOf(message: string, woven: WovenFiles): string[] {
  const name = /^No matching export in "student:(.*)" for import/.exec(message)?.[1] ?? "";
  const file = woven.files.get(name);
  if (file?.ok !== true) return [];
  const declared = /\bexport\s+(?:async\s+)?(?:const|let|var|class|function\*?|enum)\s+([\w$]+)/g;
  return [...file.value.code.matchAll(declared)].map(([, exported]) => exported ?? "");
}
