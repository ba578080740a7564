/** Where the near misses are run: in the sandbox, as a submission is. Only for tests. */
import { afterAll, inject } from "vitest";
import { diagnose, type Found, stopWhen } from "../../diagnoses/catalog/catalog.ts";
import { openScenario } from "../../model/scenario.ts";
import { parseScenario } from "../../model/scenario-file.ts";
import type { Order } from "../../sandbox/protocol.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { compileText } from "../../sandbox/testing/lab.ts";
import type { Run } from "../../trace/run.ts";
import type { Lang } from "../../trace/text.ts";
import { type Conversation, conversations } from "./scenarios.ts";

/** What a program is played against. */
export interface Stage {
  /** The conversation, or several for one import of the program. */
  on: Conversation | readonly Conversation[];
  /** Of several: one after the other unless said otherwise. */
  order?: Order;
  /** Most replies the exercise allows of a conversation without end. */
  cap?: number;
  /** What else it asks for. */
  demands?: Run["demands"];
}

export interface Played {
  /** Of several conversations the last that was begun. */
  run: Run;
  /** Of the last run, headline first. */
  found: Found[];
}

export interface Draw {
  seed: string;
  lang: Lang;
}

const programs = new Map<string, ReturnType<typeof compileText>>();

/** A sandbox, closed after the test file. @returns plays a program's text */
export function openRoom({ seed, lang }: Draw) {
  const runtime = inject("runtime");
  const sandbox = createSandbox({ runtime });
  afterAll(() => sandbox.close());
  return async (text: string, { on, order = "in-turn", cap, demands = [] }: Stage): Promise<Played> => {
    const compiling = programs.get(text) ?? compileText(text, runtime);
    programs.set(text, compiling);
    const scenarios = [on].flat().map((name, place) => {
      const file = parseScenario(conversations[name as Conversation], name);
      return openScenario(file, { name: `${name} ${place + 1}`, seed, lang });
    });
    const limits = { cap: cap ?? null };
    const runs = await sandbox.runBeside({
      program: await compiling,
      entry: "runAgent",
      scenarios,
      order,
      stopWhen: (trace, scenario) => stopWhen(trace, scenario, limits),
    });
    const last = runs.at(-1);
    if (last === undefined) throw new Error("nothing was played");
    const run = { ...last, ...limits, demands };
    return { run, found: diagnose(run) };
  };
}
