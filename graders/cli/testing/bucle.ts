/** For tests: the real binary, started as a user starts it. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { kitCourse } from "../../grading/course.ts";
import type { CheckDocument } from "../../reports/json/json.ts";

/** The kit's folder. */
export const KIT = resolve(import.meta.dirname, "../../..");

/** The course's exercises, in order: what stands in a test by number is what the test is about. */
export const { exercises: EXERCISES } = kitCourse(KIT, "");

export interface Said {
  /** The exit code; null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Where {
  /** Default: the kit's folder. A verb that keeps progress keeps it there, so give it a student's. */
  cwd?: string;
  /** Beside the little a process needs to start: nothing that says language or colour is passed on. */
  env?: Readonly<Record<string, string>>;
  /** Another kit than this one. */
  kit?: string;
}

const schemaFile = join(KIT, "graders/reports/json/check.schema.json");
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(schemaFile, "utf8")) as object,
);

/**
 * Runs `bucle` and waits for its end.
 * @throws Error when `check --json` printed anything but one document of the published shape
 */
export async function bucle(args: readonly string[], { cwd = KIT, env = {}, kit = KIT }: Where = {}): Promise<Said> {
  const said = await node([join(kit, "graders/cli/bucle.cjs"), ...args], { cwd, env });
  if (args[0] === "check" && args.includes("--json") && said.code !== 2) documentOf(said);
  return said;
}

/** Runs Node with these arguments and waits for its end. Never rejects for what it does. */
export function node(args: readonly string[], { cwd = KIT, env = {} }: Omit<Where, "kit"> = {}): Promise<Said> {
  return new Promise((done) => {
    const options = { cwd, env: { ...BARE, ...env }, maxBuffer: 64 * 1024 * 1024, encoding: "utf8" as const };
    const child = execFile(process.execPath, [...args], options, (_error, stdout, stderr) => {
      done({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** What `--json` printed. @throws Error when it is not one document of the published shape */
export function documentOf({ stdout }: Said): CheckDocument {
  const document: unknown = JSON.parse(stdout);
  if (!validate(document)) {
    const wrong = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(`--json printed what check.schema.json does not allow: ${wrong.join("; ")}`);
  }
  return document as CheckDocument;
}

/** Text without its line breaks and indentation, so that where a row was wrapped does not matter. */
export function unwrapped(text: string): string {
  return text.replace(/\s+/g, " ");
}

const PASSED_ON = ["PATH", "Path", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "SystemRoot"];

/** The environment of a user who has set nothing. */
export const BARE: Readonly<Record<string, string>> = Object.fromEntries(
  PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
