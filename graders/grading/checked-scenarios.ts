/**
 * Scenario files that this kit has found sound, by the hash of their content. What checks them is slow to load: it is
 * loaded only for a file that is new. The list lies beside the bundle it was made by, and is no more than a shortcut.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ScenarioFile } from "../model/scenario-file.ts";

export type ReadScenario = (text: string, name: string, hash: string) => Promise<ScenarioFile>;

/**
 * @param list the file that remembers; null to check every time
 * @returns a reader of scenarios' texts: it rejects with an Error that names the file when it is no scenario
 */
export function scenarioReader(list: string | null): ReadScenario {
  const sound = new Set(list === null ? [] : read(list));
  return async (text, name, hash) => {
    const json = parse(text, name);
    if (sound.has(hash)) return json as ScenarioFile;
    const { parseScenario } = await import("../model/scenario-file.ts");
    const file = parseScenario(json, name);
    sound.add(hash);
    if (list !== null) remember(list, sound);
    return file;
  };
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}

function read(list: string): string[] {
  try {
    const hashes: unknown = JSON.parse(readFileSync(list, "utf8"));
    return Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === "string") : [];
  } catch {
    return []; // none yet, or one that is no list: everything is checked anew
  }
}

function remember(list: string, sound: ReadonlySet<string>): void {
  const fresh = `${list}.${process.pid}.new`;
  try {
    mkdirSync(dirname(list), { recursive: true });
    writeFileSync(fresh, JSON.stringify([...sound]));
    renameSync(fresh, list);
  } catch {
    // A kit that its user may not write to: checking again is all it costs.
  }
}
