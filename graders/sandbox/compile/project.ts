/**
 * A loop in its author's own project to the one module that the child runs: their folder, their tsconfig, their
 * node_modules. Their own files are bundled and woven, so that the loop guard and the lines are as in a submission;
 * packages stay where they are and are imported from there. Nothing is kept out: this is no sandbox.
 */
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Loader, Message, OnLoadResult, OnResolveArgs, PluginBuild } from "esbuild";
import { SOURCE_URL } from "../source-url.ts";
import { type BundleOptions, build } from "./bundler.ts";
import { type Woven, weave } from "./guard.ts";
import { locator, nameRestorer } from "./maps.ts";
import { parse } from "./parse.ts";
import type { Program, Result, Site } from "./program.ts";

export interface ProjectOptions {
  /** `file:` URL of the child's runtime: it serves `#harness`, and the SDK where the project has none. */
  runtimeUrl: string;
  /** Folder that the files are named from, in messages. */
  root: string;
  /** A module of the project, by its path: in place of its functions the child puts stand-ins that run nothing. */
  stub?: string | null;
}

export interface Project extends Program {
  /** Whether it runs tools through `#harness`. */
  usesHarness: boolean;
  /** Packages it imports, by name. */
  packages: readonly string[];
  /** Whether the module to be stubbed is part of it: one that nobody imports leaves the tools as they are. */
  stubbed: boolean;
}

const OWN = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const HARNESS = "#harness";
const SDK = "@anthropic-ai/sdk";
const STUB = "stand-ins";
/** The child's `standIns`, by the name that the program's first line gives it. */
const STAND_INS = "__standIns";
/** Marks a resolution of our own, so that it is not caught again. */
const ASKED = Symbol("asked");

/**
 * Compiles a file with all of its project that it imports.
 * @param file path of the file with the loop
 * @returns the program, or what keeps it from compiling; rejects only when the kit's own tools do not work
 */
export async function compileProject(file: string, options: ProjectOptions): Promise<Result<Project>> {
  const entry = resolve(file);
  const woven = new Map<string, Woven>();
  const sites: Site[] = [];
  const texts: { name: string; text: string }[] = [];
  const packages = new Set<string>();
  /** The copies of the SDK that it reaches, itself or through a package: each by its path, and how it is loaded. */
  const sdks = new Map<string, "import" | "require">();
  let usesHarness = false;
  let stubbed = false;
  const nameOf = (path: string) => relative(options.root, path).replaceAll("\\", "/");
  const stub = options.stub ? resolve(options.stub) : null;
  // Asked first: builds go one by one.
  const stubNames = stub === null ? [] : await namesIn(stub);

  const find = async (
    hooks: PluginBuild,
    { path, importer, namespace, resolveDir, kind, pluginData }: OnResolveArgs,
  ) => {
    if (pluginData === ASKED || kind === "entry-point") return undefined;
    if (path === HARNESS) {
      usesHarness = true;
      return { path: options.runtimeUrl, external: true };
    }
    if (path === options.runtimeUrl || isBuiltin(path)) return { path, external: true };
    const found = await hooks.resolve(path, { importer, resolveDir, kind, pluginData: ASKED });
    if (found.errors.length > 0) return path === SDK ? { path: options.runtimeUrl, external: true } : found;
    const inPackages = /[\\/]node_modules[\\/]/.test(found.path);
    if (inPackages) packages.add(packageOf(found.path));
    if (inPackages && !/\.[cm]?tsx?$|\.json$/.test(found.path)) {
      const required = kind.startsWith("require");
      const sdk = await sdkOf(hooks, found.path, required);
      if (sdk !== null) sdks.set(sdk, required ? "require" : "import");
      // An import takes a URL, a require a path.
      return { path: required ? found.path : pathToFileURL(found.path).href, external: true };
    }
    if (found.path === stub && namespace !== STUB) {
      stubbed = true;
      return { path: stub, namespace: STUB };
    }
    return { path: found.path, sideEffects: found.sideEffects };
  };

  /** The copy of the SDK that a file of a package is of, or has for its own use. */
  const sdkOf = async (hooks: PluginBuild, path: string, required: boolean): Promise<string | null> => {
    if (!usesSdk(path)) return null;
    const kind = required ? "require-call" : "import-statement";
    const found = await hooks.resolve(SDK, { importer: path, resolveDir: dirname(path), kind, pluginData: ASKED });
    return found.errors.length > 0 ? null : found.path;
  };

  const load = async (path: string): Promise<OnLoadResult | undefined> => {
    const text = readFileSync(path, "utf8");
    const name = nameOf(path);
    const parsed = await parse(
      name.replace(/\.(?:c[jt]s|[jt]sx)$/, (end) => (end.includes("t") ? ".ts" : ".js")),
      text,
    );
    const result = parsed.ok ? weave(name, text, parsed.value, sites.length) : null;
    texts.push({ name, text });
    const loader = loaderOf(path);
    // What our parser does not take (JSX, say) the bundler may: then without a guard, and lines are not told.
    if (result === null) return { contents: ownNames(text, path), loader, resolveDir: dirname(path) };
    woven.set(path, result);
    sites.push(...result.sites);
    return { contents: ownNames(result.code, path), loader, resolveDir: dirname(path) };
  };

  const built = await build({
    entryPoints: [entry],
    absWorkingDir: options.root,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outfile: resolve(options.root, "program.js"),
    write: false,
    metafile: true,
    sourcemap: "external",
    sourcesContent: false,
    legalComments: "none",
    charset: "utf8",
    logLevel: "silent",
    logLimit: 20,
    // The project's own CommonJS code requires from where it stands.
    banner: {
      js: `import{createRequire as __cr}from"node:module";const require=__cr(${JSON.stringify(pathToFileURL(entry).href)});`,
    },
    plugins: [
      {
        name: "project",
        setup: (hooks) => {
          hooks.onResolve({ filter: /^#guard$/ }, () => ({ path: options.runtimeUrl, external: true }));
          hooks.onResolve({ filter: /.*/ }, (args) => find(hooks, args));
          hooks.onLoad({ filter: OWN, namespace: "file" }, ({ path }) => load(path));
          hooks.onLoad({ filter: /.*/, namespace: STUB }, ({ path }) => ({
            contents: standInsFor(path, stubNames),
            resolveDir: dirname(path),
          }));
        },
      },
    ],
  } satisfies BundleOptions);
  if (built === null) return refused("The bundler cannot read this file.");
  if ("errors" in built) return refused(firstOf(built.errors));

  const output = (end: string) => built.made.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const code = output(".js");
  const map = output(".js.map");
  const made = Object.values(built.made.metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined);
  const fileOf = (source: string) => {
    const path = resolve(options.root, source);
    const file = woven.get(path);
    return file === undefined ? null : { name: nameOf(path), woven: file };
  };
  texts.sort((a, b) => Number(b.name === nameOf(entry)) - Number(a.name === nameOf(entry)));
  return {
    ok: true,
    value: {
      // On the first line, which is ours: no place of the project's moves.
      code: `${prelude(entry, options.runtimeUrl, sdks)}${code}//# sourceURL=${SOURCE_URL}\n`,
      exports: woven.get(entry)?.commonJs ? commonJsNames(texts[0]!.text) : (made?.exports ?? []),
      sites,
      locate: locator(map, fileOf),
      restoreNames: nameRestorer(code, map),
      source: { files: texts },
      usesHarness,
      packages: [...packages].sort(),
      stubbed,
    },
  };
}

function loaderOf(path: string): Loader {
  const end = /\.([cm]?)([jt]sx?)$/.exec(path)?.[2] ?? "js";
  return end as Loader;
}

/** What a file may ask of its own place: there it is bundled into a module that stands nowhere. Line ends stay. */
function ownNames(code: string, path: string): string {
  return code
    .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
    .replace(/\bimport\.meta\.filename\b|(?<![.\w$])__filename\b/g, JSON.stringify(path))
    .replace(/\bimport\.meta\.dirname\b|(?<![.\w$])__dirname\b/g, JSON.stringify(dirname(path)));
}

/**
 * What comes before the project's first line, its packages having been loaded: the runtime is told so, and each copy of the
 * SDK is marked, so that requests carry their lines as those of the runtime's own copy do.
 */
function prelude(entry: string, runtimeUrl: string, sdks: ReadonlyMap<string, "import" | "require">): string {
  const here = JSON.stringify(pathToFileURL(entry).href);
  const copies = [...sdks].map(([path, how], index) =>
    how === "import"
      ? { load: `import*as __sdk${index} from${JSON.stringify(pathToFileURL(path).href)};`, name: `__sdk${index}` }
      : { load: "", name: `__cr(${here})(${JSON.stringify(path)})` },
  );
  const runtime = `import{markSdkOf as __mark,packagesLoaded as __loaded,standIns as ${STAND_INS}}from${JSON.stringify(runtimeUrl)};`;
  const marks = copies.map(({ name }) => `__mark(()=>${name});`).join("");
  return `${runtime}${copies.map(({ load }) => load).join("")}__loaded();${marks}`;
}

/** A module that has the exports of another, each put through the child's stand-ins; of CommonJS, where that is. */
function standInsFor(path: string, names: readonly string[] | "commonjs"): string {
  const real = JSON.stringify(path);
  if (names === "commonjs") return `module.exports = ${STAND_INS}(require(${real}));`;
  const lines = names.map((name) =>
    name === "default" ? "export default made.default;" : `export const ${name} = made[${JSON.stringify(name)}];`,
  );
  return [`import * as real from ${real};`, `const made = ${STAND_INS}(real);`, ...lines].join("\n");
}

/** What a module exports, by name; "commonjs" of one that only says so when it runs. */
async function namesIn(path: string): Promise<readonly string[] | "commonjs"> {
  const built = await build({
    entryPoints: [path],
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    outfile: "exports.js",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  if (built === null || "errors" in built) return [];
  const { inputs, outputs } = built.made.metafile;
  const made = Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined);
  const isCommonJs = made?.entryPoint !== undefined && inputs[made.entryPoint]?.format === "cjs";
  return isCommonJs ? "commonjs" : (made?.exports ?? []);
}

/** `@scope/name` or `name` of a path below `node_modules`. */
function packageOf(path: string): string {
  const [first = "", second = ""] = (path.split(/[\\/]node_modules[\\/]/).at(-1) ?? "").split(/[\\/]/);
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** Names that a CommonJS file gives its exports, though all that an import of it has is a default. */
function commonJsNames(text: string): string[] {
  const alone = [...text.matchAll(/\bexports\.([A-Za-z_$][\w$]*)\s*=[^=]/g)].map(([, name]) => name!);
  const listed = (/\bmodule\.exports\s*=\s*\{([^}]*)\}/.exec(text)?.[1] ?? "")
    .split(",")
    .flatMap((part) => /^\s*(?:async\s+)?([A-Za-z_$][\w$]*)/.exec(part)?.[1] ?? []);
  const names = [...new Set([...alone, ...listed])];
  return names.length > 0 ? names : ["default"];
}

/** Whether a package is the SDK, or says that it needs it. */
function usesSdk(path: string): boolean {
  const name = packageOf(path);
  if (name === SDK) return true;
  const folder = `${path.slice(0, path.lastIndexOf("node_modules"))}node_modules/${name}`;
  try {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return SDK in { ...dependencies, ...peerDependencies };
  } catch {
    return false; // a folder without a package.json of its own
  }
}

function firstOf(errors: readonly Message[]): string {
  const [error] = errors;
  if (error === undefined) return "";
  const { location, text } = error;
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}

/** @param reason the bundler's own words, and where */
function refused(reason: string): Result<never> {
  const detail = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return {
    ok: false,
    refusal: {
      headline: { es: "El archivo no compila.", en: "The file does not compile." },
      detail: { es: detail, en: detail },
      next: /Could not resolve/.test(reason)
        ? {
            es: "Comprueba que tu proyecto funciona por sí solo (dependencias instaladas, rutas del tsconfig) y repite.",
            en: "Make sure that your project works by itself (dependencies installed, the tsconfig's paths) and try again.",
          }
        : { es: "Corrígelo y repite.", en: "Mend it and try again." },
      at: null,
    },
  };
}
