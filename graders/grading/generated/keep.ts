/** Generated conversations as files: kept beside a student's progress, and read again. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ScenarioFile } from "../../model/scenario-file.ts";
import type { ExerciseGrade } from "../grade.ts";

/** @param exercises the folder the student edits @returns the folder in which failed conversations are kept */
export function generatedFolder(exercises: string): string {
  return join(dirname(exercises), ".bucle", "generated");
}

/**
 * Keeps the conversation that an exercise failed. Where some were drawn and none of them fails alone, one of an earlier grade goes:
 * played again, it would be taken for what fails now.
 * @throws where the folder cannot be written
 */
export function keepGenerated(folder: string, { id, generated }: ExerciseGrade): void {
  if (generated === null) return;
  const file = join(folder, `${id}.json`);
  if (generated.failed === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(generated.failed.file, null, 2)}\n`);
}

/**
 * Reads a conversation to play again.
 * @throws {ScenarioError} with what is wrong in it and where; Error when there is no such file, or it is no JSON
 */
export async function readGenerated(path: string): Promise<ScenarioFile> {
  const { parseScenario } = await import("../../model/scenario-file.ts");
  return parseScenario(JSON.parse(readFileSync(path, "utf8")), path);
}
