/**
 * Which export of a submission is its loop: `runAgent`, else the default, else the only one there is.
 * @param exports names the compiled module exports
 * @param text the entry file: one that has a `runAgent` and does not export it has forgotten to
 * @returns the name, or null when it cannot be told
 */
export function findEntry(exports: readonly string[], text = ""): string | null {
  if (exports.includes("runAgent")) return "runAgent";
  if (exports.includes("default")) return "default";
  if (/\b(function|const|let|var)\s*\*?\s+runAgent\b|\bfunction\s*\*\s*runAgent\b/.test(text)) return null;
  return exports.length === 1 ? (exports[0] ?? null) : null;
}
