/** Runs an agent that uses `#harness` in this process, without the sandbox: for the tests of criteria and quizzes. */
import { client, connectToolkit, type Tool } from "../../../exercises/harness.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { play as playHands } from "../../testing/play.ts";
import type { Scenario } from "../../trace/scenario.ts";

export type Agent = (userInput: string, tools: Tool[]) => Promise<unknown>;

/**
 * Plays a scenario to an agent, one at a time.
 * @returns the run as a criterion sees it, without findings and without lines
 */
export async function play(agent: Agent, scenario: Scenario): Promise<JudgedRun> {
  const run = await playHands(
    ({ callModel, executeTool, tools, userInput }) => {
      // The harness talks to the model through its client: that is where the scripted model comes in.
      client.messages.create = callModel as unknown as typeof client.messages.create;
      connectToolkit(Object.fromEntries(tools.map(({ name }) => [name, (input) => executeTool(name, input)])));
      return agent(userInput, tools as unknown as Tool[]);
    },
    { scenario, unstopped: true },
  );
  return { ...run, findings: [] };
}
