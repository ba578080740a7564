"use strict";
/** Finds (or makes) the bundle, starts the first child of the sandbox before anything else is loaded, then the CLI. */
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { bundleFolder, kitRoot } = require("./sources.cjs");

/** Verbs that run a student's code: a child is started for them at once, because it takes longest. */
const RUNS_CODE = new Set(["check", "start", "verify"]);

async function main() {
  const folder = bundleFolder(kitRoot()) ?? (await (await import("./build.mjs")).build());
  const load = (name) => import(pathToFileURL(join(folder, name)).href);
  const verb = process.argv.slice(2).find((word) => !word.startsWith("-"));
  if (RUNS_CODE.has(verb)) (await load("spare.mjs")).startSpare(join(folder, "runtime.mjs"));
  const { main } = await load("cli.mjs");
  process.exitCode = await main(process.argv.slice(2), { root: kitRoot(), runtime: join(folder, "runtime.mjs") });
}

main().catch((error) => {
  if (error?.code === "ERR_MODULE_NOT_FOUND") {
    console.error(
      "Faltan las dependencias: ejecuta `npm ci` en la carpeta de Bucle y repite. / " +
        "The dependencies are missing: run `npm ci` in Bucle's folder and try again.",
    );
    process.exitCode = 2;
    return;
  }
  if (["EACCES", "EPERM", "EROFS"].includes(error?.code)) {
    console.error(
      `Bucle no puede leer o escribir ${error.path}. Quien instaló el kit debe ejecutar \`npm ci\` en su carpeta. / ` +
        `Bucle cannot read or write ${error.path}. Whoever installed the kit has to run \`npm ci\` in its folder.`,
    );
  } else {
    console.error(error);
  }
  process.exitCode = 3;
});
