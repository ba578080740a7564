/** Finds the scenario that somebody asks for: by its name, or by the path of a file of their own. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseScenario, ScenarioError, type ScenarioFile } from "../model/scenario-file.ts";
import { whyUnreadable } from "../model/unreadable.ts";

/** Names of the kit's scenarios. @param root the kit's folder */
export function scenarioNames(root: string): string[] {
  return readdirSync(folderOf(root))
    .filter((file) => file.endsWith(".json"))
    .map((file) => basename(file, ".json"))
    .sort();
}

/**
 * @param asked a name of the kit's, else a path
 * @returns null when there is neither
 * @throws {ScenarioError} when the file is no scenario
 */
export function findScenario(root: string, asked: string): { name: string; file: ScenarioFile } | null {
  const isKits = scenarioNames(root).includes(asked);
  const path = isKits ? join(folderOf(root), `${asked}.json`) : resolve(asked);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  return { name: basename(path, ".json"), file: parseScenario(readJson(path, asked), asked) };
}

function folderOf(root: string): string {
  return join(root, "fixtures", "scenarios");
}

function readJson(path: string, shown: string): unknown {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
    return JSON.parse(text);
  } catch (error) {
    const why = whyUnreadable(error, text);
    throw new ScenarioError(shown, "", { es: `${why.es}.`, en: `${why.en}.` });
  }
}
