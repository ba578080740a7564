/** Bundles a program like the kit itself, and runs it: `node graders/bench/run.mjs <name in this folder, or folder/name> [args]`. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as buildKit, bundling } from "../cli/build.mjs";

const { kitRoot } = createRequire(import.meta.url)("../cli/sources.cjs");
const [name, ...args] = process.argv.slice(2);
const root = kitRoot();
const kit = await buildKit();
const { build } = await import("esbuild");
const making = mkdtempSync(join(root, "dist", "bench-"));
process.on("exit", () => rmSync(making, { recursive: true, force: true }));
const program = name.includes("/") ? name : `bench/${name}`;
const outfile = join(making, `${basename(program)}.mjs`);
await build({ ...bundling(root), entryPoints: [`graders/${program}.ts`], outfile });
const { main } = await import(pathToFileURL(outfile).href);
process.exitCode = await main({ root, runtime: join(kit, "runtime.mjs") }, args);
