/** The programs of this folder, as a student would hand them in. Only for tests. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { freshFolder, submission } from "../../testing/fake.ts";

const STYLES = join(import.meta.dirname, "..");

/** Names of the programs in a folder of `styles/`: files, and folders with an `agent.ts`. */
export function programsIn(folder = "."): string[] {
  return readdirSync(join(STYLES, folder), { withFileTypes: true })
    .filter((entry) => {
      if (entry.isDirectory()) return statSync(join(STYLES, folder, entry.name, "agent.ts"), { throwIfNoEntry: false });
      return entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts");
    })
    .map(({ name }) => name.replace(/\.ts$/, ""))
    .toSorted();
}

/** What is handed in. */
export interface Handed {
  /** The program, below `styles/`: a file, or a folder with an `agent.ts`. */
  program: string;
  /** Texts to be replaced in its `agent.ts`. */
  edits?: Readonly<Record<string, string>>;
}

/**
 * @returns the submission's folder, gone after the test file
 * @throws Error when a text to be replaced does not occur
 */
export function handIn({ program, edits = {} }: Handed): string {
  const files = filesOf(join(STYLES, program));
  let agent = files["agent.ts"] ?? "";
  for (const [from, to] of Object.entries(edits)) {
    if (!agent.includes(from)) throw new Error(`${program} does not hold ${JSON.stringify(from)}`);
    agent = agent.replace(from, () => to);
  }
  return submission(freshFolder(), { ...files, "agent.ts": agent });
}

function filesOf(path: string): Record<string, string> {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return { "agent.ts": readFileSync(`${path}.ts`, "utf8") };
  }
  return Object.fromEntries(readdirSync(path).map((file) => [file, readFileSync(join(path, file), "utf8")]));
}
