#!/usr/bin/env node
// This file is read by Node versions far older than the kit supports: keep to their syntax.
var parts = process.versions.node.split(".");
var major = Number(parts[0]);
var minor = Number(parts[1]);
if (major < 20 || (major === 20 && minor < 19)) {
  var here = process.versions.node;
  var es = "Bucle necesita Node 20.19 o posterior (aquí: " + here + "). Instala la versión LTS y repite.";
  var en = "Bucle needs Node 20.19 or later (here: " + here + "). Install the LTS version and try again.";
  console.error(es + " / " + en);
  process.exit(2);
} else {
  require("./launch.cjs");
}
