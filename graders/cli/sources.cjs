"use strict";
/** Which sources a bundle is made of, and where it lies. CommonJS, so that the launcher starts without waiting. */
const { createHash } = require("node:crypto");
const { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
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

/** @returns everything that goes into the bundle, by path */
function sourcesOf(root) {
  return [...sourcesBelow(root, "graders", []).sort(), "exercises/harness.ts", "package.json"];
}

/** @returns a short hash of everything that goes into the bundle */
function sourceHash(root) {
  const hash = createHash("sha256");
  for (const file of sourcesOf(root)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * A hash of how the sources look from outside: as long as it is the same, nobody has written to one of them, and they need not
 * be read. No tool can set the time of the last change to an inode.
 */
function outsideOf(root) {
  const hash = createHash("sha256");
  for (const file of sourcesOf(root)) {
    const { size, mtimeMs, ctimeMs, ino } = statSync(join(root, file));
    hash.update(`${file}\0${size} ${mtimeMs} ${ctimeMs} ${ino}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** @returns the folder of the bundle that fits the sources, or null when it has to be built first */
function bundleFolder(root) {
  const dist = join(root, "dist");
  if (!existsSync(join(root, "graders", "cli", "main.ts"))) {
    // A packed kit has no sources: what it was packed with is what it runs.
    return join(dist, readCurrent(dist).folder);
  }
  const outside = outsideOf(root);
  const current = readCurrent(dist);
  const isKnown = current.outside === outside && typeof current.folder === "string";
  const name = isKnown ? current.folder : sourceHash(root);
  const folder = join(dist, name);
  if (!existsSync(join(folder, "cli.mjs"))) return null;
  if (!isKnown) writeCurrent(dist, { folder: name, outside });
  return folder;
}

/** @returns what is known of the bundle in use; nothing where there is none */
function readCurrent(dist) {
  try {
    return JSON.parse(readFileSync(join(dist, "current.json"), "utf8"));
  } catch {
    return {};
  }
}

/** Keeps it for the next start; a kit that may not be written to does without. */
function writeCurrent(dist, current) {
  const fresh = join(dist, `current.json.${process.pid}.new`);
  try {
    writeFileSync(fresh, JSON.stringify(current));
    renameSync(fresh, join(dist, "current.json"));
  } catch {
    // then the sources are read each time
  }
}

module.exports = { kitRoot, sourceHash, bundleFolder };
