/** Generated conversations as files: kept beside a student's progress, and read again. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ScenarioFile } from "../../model/scenario-file.ts";
import type { ExerciseGrade } from "../grade.ts";

/** @param exercises the folder the student edits @returns the folder in which failed conversations are kept */
export function generatedFolder(exercises: string): string {
  return join(dirname(exercises), ".bucle", "generated");
}

/** Keeps the conversation that an exercise failed, if it failed one. @throws where the folder cannot be written */
export function keepGenerated(folder: string, { id, generated }: ExerciseGrade): void {
  if (!generated?.failed) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.json`), `${JSON.stringify(generated.failed.file, null, 2)}\n`);
}

/**
 * Reads a conversation to play again.
 * @throws {ScenarioError} with what is wrong in it and where; Error when there is no such file, or it is no JSON
 */
export async function readGenerated(path: string): Promise<ScenarioFile> {
  const { parseScenario } = await import("../../model/scenario-file.ts");
  return parseScenario(JSON.parse(readFileSync(path, "utf8")), path);
}
