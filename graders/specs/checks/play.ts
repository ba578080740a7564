/** Runs an agent in this process, without the sandbox: for the tests of criteria and quizzes. */
import { client, connectToolkit, type Tool } from "../../../exercises/harness.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { rehearse } from "../../model/rehearsal.ts";
import { countsOf } from "../../sandbox/conversation.ts";
import type { TraceEvent } from "../../trace/events.ts";
import type { Scenario } from "../../trace/scenario.ts";

export type Agent = (userInput: string, tools: Tool[]) => Promise<unknown>;

/**
 * Plays a scenario to an agent that uses `#harness`, one at a time.
 * @returns the run as a criterion sees it, without findings and without lines
 */
export async function play(agent: Agent, scenario: Scenario): Promise<JudgedRun> {
  const rehearsal = rehearse(scenario);
  // The harness talks to the model through its client: that is where the scripted model comes in.
  client.messages.create = (async (body: unknown) => {
    const { message, error } = rehearsal.send(body);
    if (message === null) throw new Error(`400 ${error?.message}`);
    return structuredClone(message);
  }) as unknown as typeof client.messages.create;
  connectToolkit(
    Object.fromEntries(
      scenario.tools.map(({ name }) => [
        name,
        async (input) => {
          const behaviour = rehearsal.run(name, structuredClone(input));
          if (behaviour.kind === "returns") return behaviour.value;
          throw new Error(behaviour.kind === "throws" ? behaviour.message : "hung");
        },
      ]),
    ),
  );
  const settled = await agent(scenario.userInput, scenario.tools as unknown as Tool[]).then(
    (value) => ({ how: "returned" as const, value: value === undefined ? null : structuredClone(value), error: null }),
    (error: Error) => ({
      how: "threw" as const,
      value: null,
      error: { name: error.name, message: error.message, stack: [] },
    }),
  );
  const { trace: events } = rehearsal;
  const turn = events.filter((event) => event.type === "reply" && event.message !== null).length;
  const trace: TraceEvent[] = [...events, { type: "settled", seq: events.length, turn, ...settled }];
  return {
    scenario,
    trace,
    outcome: settled.how,
    kind: null,
    at: null,
    error: settled.error,
    measured: {},
    counts: countsOf(trace),
    printed: { head: [], tail: [], omittedLines: 0 },
    source: { files: [] },
    ms: 0,
    findings: [],
  };
}
