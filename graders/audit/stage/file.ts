/** An audited loop as a function: its module in a child process, on a virtual clock. */

import type { Program } from "../../sandbox/compile/program.ts";
import type { Project } from "../../sandbox/compile/project.ts";
import { findEntry } from "../../sandbox/entry.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { LAYERS, TRUSTED_LAYERS } from "../../sandbox/spawn.ts";
import type { Text } from "../../trace/text.ts";
import type { Stage } from "./stage.ts";

export interface FileStageOptions {
  program: Program | Project;
  /** Name of the exported loop. */
  entry: string;
  /** The bundled runtime. */
  runtime: string;
  /** The project's folder, for code that its user trusts; null for a submission's rules. */
  cwd: string | null;
  /** Wall-clock limit of one run, ms. */
  wallMs?: number;
}

export function fileStage({ program, entry, runtime, cwd, wallMs }: FileStageOptions): Stage {
  const sandbox = createSandbox({
    runtime,
    ...(wallMs === undefined ? {} : { wallMs }),
    ...(cwd === null ? {} : { trusted: { cwd } }),
  });
  return {
    clock: "virtual",
    layers: cwd === null ? LAYERS : TRUSTED_LAYERS,
    endpoint: "https://api.anthropic.com/v1/messages",
    whenSilent: WHEN_SILENT,
    play: async (scenarios, { together, toolsSeen, stopWhen }) => {
      const what = { program, entry, toolsSeen };
      if (together) return sandbox.runBeside({ ...what, scenarios, order: together, stopWhen });
      const runs = [];
      for (const scenario of scenarios) {
        runs.push(await sandbox.run({ ...what, scenario, stopWhen: (trace) => stopWhen(trace, scenario) }));
      }
      return runs;
    },
    close: () => sandbox.close(),
  };
}

/** For a loop that takes something else. */
export const ADAPT: Text = {
  es: "Si la tuya recibe otra cosa, exporta una que la llame, por ejemplo `export const audited = (userInput) => ask({ prompt: userInput })`, y di --export audited.",
  en: "If yours takes something else, export one that calls it, for example `export const audited = (userInput) => ask({ prompt: userInput })`, and say --export audited.",
};

const WHEN_SILENT: Text = {
  es: `Revisa que se pueda llamar como runAgent(userInput, tools), con un texto y una lista, o di qué función es con --export. ${ADAPT.es}`,
  en: `Make sure that it can be called as runAgent(userInput, tools), with a text and a list, or say which function it is with --export. ${ADAPT.en}`,
};

/** Names a loop often has, likeliest first. */
const USUAL = ["runAgent", "agent", "run", "runLoop", "agentLoop", "loop", "ask", "chat", "main"];

/**
 * Which export of a project's file is its loop.
 * @param exports names the module exports
 * @param text the file, to tell functions from the rest
 * @returns the name, or null when it cannot be told
 */
export function findLoop(exports: readonly string[], text: string): string | null {
  const submitted = findEntry(exports, text);
  if (submitted !== null) return submitted;
  const functions = exports.filter((name) => isFunction(name, text));
  return USUAL.find((name) => functions.includes(name)) ?? (functions.length === 1 ? functions[0]! : null);
}

function isFunction(name: string, text: string): boolean {
  const plain = name.replaceAll("$", "\\$");
  const declared = new RegExp(`\\bfunction\\s*\\*?\\s*${plain}\\b`);
  const assigned = new RegExp(
    `\\b(?:(?:const|let|var)\\s+|exports\\.)${plain}\\b[^=]*=\\s*(?:async\\b|function\\b|\\(|[A-Za-z_$][\\w$]*\\s*=>)`,
  );
  return declared.test(text) || assigned.test(text);
}
