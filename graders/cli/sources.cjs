"use strict";
/** Which sources a bundle is made of, and where it lies. CommonJS, so that the launcher starts without waiting. */
const { createHash } = require("node:crypto");
const { existsSync, readdirSync, readFileSync } = require("node:fs");
const { join, resolve } = require("node:path");

/** @returns the folder of the kit: where package.json, exercises/ and graders/ are */
function kitRoot() {
  return resolve(__dirname, "..", "..");
}

const NOT_SOURCE = /(\.test\.ts|\.d\.ts|\.json|\.txt|\.md)$|(^|\/)(fake-course|testing|golden|bench|mutants)(\/|$)/;

function sourcesBelow(root, folder, found) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (NOT_SOURCE.test(path)) continue;
    if (entry.isDirectory()) sourcesBelow(root, path, found);
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** @returns a short hash of everything that goes into the bundle */
function sourceHash(root) {
  const hash = createHash("sha256");
  for (const file of [...sourcesBelow(root, "graders", []).sort(), "exercises/harness.ts", "package.json"]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** @returns the folder of the bundle that fits the sources, or null when it has to be built first */
function bundleFolder(root) {
  const dist = join(root, "dist");
  if (!existsSync(join(root, "graders", "cli", "main.ts"))) {
    // A packed kit has no sources: what it was packed with is what it runs.
    return join(dist, JSON.parse(readFileSync(join(dist, "current.json"), "utf8")).folder);
  }
  const folder = join(dist, sourceHash(root));
  return existsSync(join(folder, "cli.mjs")) ? folder : null;
}

module.exports = { kitRoot, sourceHash, bundleFolder };
