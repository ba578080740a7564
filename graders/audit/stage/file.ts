/** An audited loop as a function: its module in a child process, on a virtual clock. */

import type { Program } from "../../sandbox/compile/program.ts";
import type { Project } from "../../sandbox/compile/project.ts";
import { findEntry } from "../../sandbox/entry.ts";
import { LOOK, lookingAt, lookOf } from "../../sandbox/look.ts";
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
    entry,
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
    look: async (scenario) => {
      const looks = { program: lookingAt(program, entry), entry: LOOK, scenario, stopWhen: () => null };
      return lookOf(await sandbox.run(looks), entry, program.exports);
    },
    close: () => sandbox.close(),
  };
}

/** How to have a function called that is not of the form that an audit calls. @param call as it would be; null to show any */
export function adapt(call: string | null): Text {
  const example = `\`export const audited = (userInput) => ${call ?? "ask({ prompt: userInput })"}\``;
  return {
    es: `Exporta una función que llame a tu bucle, por ejemplo ${example}, y di --export audited.`,
    en: `Export a function that calls your loop, for example ${example}, and say --export audited.`,
  };
}

/** For a loop that takes something else. */
export const ADAPT: Text = {
  es: `Si la tuya recibe otra cosa: ${begun(adapt(null).es)}`,
  en: `If yours takes something else: ${begun(adapt(null).en)}`,
};

/** A sentence as the second half of one. */
export function begun(text: string): string {
  return text[0]!.toLowerCase() + text.slice(1);
}

const WHEN_SILENT: Text = {
  es: `Revisa que se pueda llamar como runAgent(userInput, tools), con un texto y una lista, o di qué función es con --export. ${ADAPT.es}`,
  en: `Make sure that it can be called as runAgent(userInput, tools), with a text and a list, or say which function it is with --export. ${ADAPT.en}`,
};

/** Names a loop often has, likeliest first. */
export const USUAL = ["runAgent", "agent", "run", "runLoop", "agentLoop", "loop", "ask", "chat", "main"];

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
