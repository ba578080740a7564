/**
 * Which export of a submission is its loop: `runAgent`, else the default, else the only one there is.
 * @param exports names the compiled module exports
 * @returns the name, or null when it cannot be told
 */
export function findEntry(exports: readonly string[]): string | null {
  if (exports.includes("runAgent")) return "runAgent";
  if (exports.includes("default")) return "default";
  return exports.length === 1 ? (exports[0] ?? null) : null;
}
