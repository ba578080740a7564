import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { build } from "../cli/build.mjs";

/** Vitest's global set-up: the sandbox's runtime is bundled once, and every test file is told where it is. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide("runtime", join(await build(), "runtime.mjs"));
}

declare module "vitest" {
  export interface ProvidedContext {
    /** The bundled runtime of the sandbox. */
    runtime: string;
  }
}
