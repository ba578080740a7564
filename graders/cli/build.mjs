/**
 * Bundles what a user runs: the sandbox's runtime and the CLI, into `dist/<hash of their sources>/`.
 * Run by `npm ci` (prepare), and by the launcher when the bundle is missing or stale.
 * Plain JavaScript, because it must run before anything has been built.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const { kitRoot, sourceHash } = require("./sources.cjs");

/** Old bundles are swept when no process can still be loading a chunk of them. */
const SWEEP_AFTER_MS = 24 * 3600 * 1000;

/** `import.meta.glob` with `{ eager: true, import: "default" }`, as Vite has it: folders are read, there is no registry. */
const readFolders = {
  name: "read-folders",
  setup(build) {
    build.onLoad({ filter: /graders[\\/].*\.ts$/ }, (args) => {
      const source = readFileSync(args.path, "utf8");
      if (!source.includes("import.meta.glob")) return undefined;
      const imports = [];
      const contents = source.replace(
        /import\.meta\.glob(?:<[^(]*>)?\(\s*(\[[^\]]*\]|"[^"]*")\s*,\s*\{[^}]*\}\s*,?\s*\)/g,
        (_, patterns) => {
          const globs = JSON.parse(patterns.replace(/,\s*\]$/, "]"));
          const entries = filesOf(dirname(args.path), [globs].flat()).map((file, index) => {
            const name = `__folder${imports.length}_${index}`;
            imports.push(`import ${name} from ${JSON.stringify(file)};`);
            return `${JSON.stringify(file)}: ${name}`;
          });
          return `{ ${entries.join(", ")} }`;
        },
      );
      return { contents: imports.join("") + contents, loader: "ts" };
    });
  },
};

/** Files matching `./dir/*.ext` patterns, less those of `!` patterns; one folder level, as `import.meta.glob` gives them. */
function filesOf(folder, patterns) {
  const match = (pattern) => {
    const inFolder = dirname(pattern);
    const end = basename(pattern).replace(/^\*/, "");
    return readdirSync(join(folder, inFolder))
      .filter((name) => name.endsWith(end))
      .map((name) => `${inFolder}/${name}`);
  };
  const excluded = new Set(patterns.filter((p) => p.startsWith("!")).flatMap((p) => match(p.slice(1))));
  const included = patterns.filter((p) => !p.startsWith("!")).flatMap(match);
  return [...new Set(included)].filter((file) => !excluded.has(file)).sort();
}

/**
 * `node:process` as the global it is. Imported, Node makes a module of it and reads every one of its properties, one of which
 * takes longer than loading the CLI.
 */
const plainProcess = {
  name: "plain-process",
  setup(build) {
    build.onResolve({ filter: /^(node:)?process$/ }, () => ({ path: "process", namespace: "plain-process" }));
    build.onLoad({ filter: /.*/, namespace: "plain-process" }, () => ({ contents: "module.exports = process;" }));
  },
};

/** How every bundle of the kit is made. */
export function bundling(root) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    legalComments: "none",
    logLevel: "warning",
    // CommonJS dependencies call require for Node's own modules.
    banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
    plugins: [readFolders, plainProcess],
    external: ["esbuild", "oxc-parser"],
  };
}

/** Builds unless it is there already. @returns the bundle's folder */
export async function build() {
  const root = kitRoot();
  const dist = join(root, "dist");
  const target = join(dist, sourceHash(root));
  if (isThere(join(target, "cli.mjs"))) return target;
  const esbuild = await import("esbuild");
  mkdirSync(dist, { recursive: true });
  const making = mkdtempSync(join(dist, "making-"));
  const common = { ...bundling(root), minify: true, keepNames: true };
  try {
    // Both are waited for, whatever becomes of the other: what is still being written cannot be removed.
    const built = await Promise.allSettled([
      esbuild.build({
        ...common,
        entryPoints: { runtime: "graders/sandbox/child/runtime.ts" },
        alias: { tldts: "./graders/sandbox/child/no-domains.ts" },
        outdir: making,
        outExtension: { ".js": ".mjs" },
      }),
      esbuild.build({
        ...common,
        entryPoints: { cli: "graders/cli/main.ts", spare: "graders/sandbox/spare.ts" },
        outdir: making,
        outExtension: { ".js": ".mjs" },
        splitting: true,
        chunkNames: "chunk-[hash]",
      }),
    ]);
    for (const each of built) if (each.status === "rejected") throw each.reason;
    // A temporary folder is its owner's alone; a kit that one user installs is run by others.
    chmodSync(making, 0o755);
    moveTo(target, making);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  // A name of its own: another build may be at this very line.
  const current = join(dist, `current.json.${process.pid}.new`);
  writeFileSync(current, JSON.stringify({ folder: basename(target) }));
  renameSync(current, join(dist, "current.json"));
  sweep(dist, basename(target));
  return target;
}

function moveTo(target, making) {
  try {
    renameSync(making, target);
  } catch (error) {
    // Somebody else was first: theirs is the same.
    if (!isThere(join(target, "cli.mjs"))) throw error;
  }
}

function isThere(file) {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function sweep(dist, current) {
  for (const name of readdirSync(dist)) {
    const folder = join(dist, name);
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (!stat?.isDirectory() || name === current) continue;
    if (Date.now() - stat.mtimeMs > SWEEP_AFTER_MS) rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await build();
  } catch (error) {
    // `npx` runs this before `npm ci` has: a failure would leave npm's cache half made, and npx broken in this folder.
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
  }
}
