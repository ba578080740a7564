/** From the module that the child runs back to the files it was made of. Maps are read at the first question: most programs never ask. */
import { eachMapping, originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { Woven } from "./guard.ts";
import type { Program } from "./program.ts";

/**
 * @param map the bundler's source map
 * @param fileOf the woven file behind a source of the map, and its name for the reader; null for what is nobody's
 */
export function locator(
  map: string,
  fileOf: (source: string) => { name: string; woven: Woven } | null,
): Program["locate"] {
  let traced: TraceMap | null = null;
  return (line, column) => {
    if (line < 1 || column < 1) return null;
    traced ??= new TraceMap(map);
    const found = originalPositionFor(traced, { line, column: column - 1 });
    const file = found.source === null ? null : fileOf(pathOf(found.source));
    if (found.line === null || file === null) return null;
    return { file: file.name, ...file.woven.original({ line: found.line, column: found.column + 1 }) };
  };
}

/** The bundler writes a source as a URL: what is not ASCII in a path, a `%` and a `#` stand there encoded. */
function pathOf(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}

/** Puts the names back that the bundler changed. */
export function nameRestorer(code: string, map: string): Program["restoreNames"] {
  let renamed: Map<string, string> | null = null;
  return (text) => {
    renamed ??= renamedIn(code, map);
    if (renamed.size === 0) return text;
    return text.replace(/[A-Za-z_$][\w$]*/g, (word) => renamed?.get(word) ?? word);
  };
}

/** Names in the bundle and what the student called them, where they differ; the map tells both. */
function renamedIn(code: string, map: string): Map<string, string> {
  const lines = code.split("\n");
  const renamed = new Map<string, string>();
  eachMapping(new TraceMap(map), ({ name, generatedLine, generatedColumn }) => {
    if (name === null) return;
    const now = /^[A-Za-z_$][\w$]*/.exec(lines[generatedLine - 1]?.slice(generatedColumn) ?? "")?.[0];
    if (now !== undefined && now !== name) renamed.set(now, name);
  });
  return renamed;
}
