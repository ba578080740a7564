/** Bundles one of this folder's programs like the kit itself, and runs it: `node graders/bench/run.mjs <name> [args]`. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as buildKit, bundling } from "../cli/build.mjs";

const { kitRoot } = createRequire(import.meta.url)("../cli/sources.cjs");
const [name, ...args] = process.argv.slice(2);
const root = kitRoot();
const kit = await buildKit();
const { build } = await import("esbuild");
const making = mkdtempSync(join(root, "dist", "bench-"));
process.on("exit", () => rmSync(making, { recursive: true, force: true }));
const outfile = join(making, `${name}.mjs`);
await build({ ...bundling(root), entryPoints: [`graders/bench/${name}.ts`], outfile });
const { main } = await import(pathToFileURL(outfile).href);
process.exitCode = await main({ root, runtime: join(kit, "runtime.mjs") }, args);
