/** For tests: runs a text as a submission would be run. */
import { afterAll, inject } from "vitest";
import { stopWhen } from "../../diagnoses/catalog/catalog.ts";
import { openScenario } from "../../model/scenario.ts";
import { parseScenario } from "../../model/scenario-file.ts";
import type { Trace } from "../../trace/events.ts";
import type { Run } from "../../trace/run.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { compile } from "../compile/compile.ts";
import type { Program } from "../compile/program.ts";
import { findEntry } from "../entry.ts";
import type { Order } from "../protocol.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../sandbox.ts";
import { runtimeUrl } from "../spawn.ts";

export interface Lab {
  sandbox: Sandbox;
  run(text: string, scenario?: Scenario): Promise<Run>;
  runBeside(text: string, scenarios: readonly Scenario[], order: Order): Promise<Run[]>;
}

/** A sandbox for one test file, closed after it. */
export function openLab(options: Omit<SandboxOptions, "runtime"> = {}): Lab {
  const runtime = inject("runtime");
  const sandbox = createSandbox({ runtime, ...options });
  afterAll(() => sandbox.close());
  const compiled = async (text: string) => {
    const program = await compileText(text, runtime);
    return { program, entry: findEntry(program.exports) ?? "runAgent" };
  };
  const stops = (trace: Trace, scenario: Scenario) => stopWhen(trace, scenario, { cap: null });
  return {
    sandbox,
    run: async (text, scenario = twoTurns()) =>
      sandbox.run({ ...(await compiled(text)), scenario, stopWhen: (trace) => stops(trace, scenario) }),
    runBeside: async (text, scenarios, order) =>
      sandbox.runBeside({ ...(await compiled(text)), scenarios, order, stopWhen: stops }),
  };
}

export async function compileText(text: string, runtime: string): Promise<Program> {
  const submission = { entry: "agent.ts", files: [{ name: "agent.ts", text }], refused: [] };
  const compiled = await compile(submission, { runtimeUrl: runtimeUrl(runtime) });
  if (!compiled.ok) throw new Error(`${compiled.refusal.headline.en} ${compiled.refusal.detail.en}`);
  return compiled.value;
}

interface Parts {
  name?: string;
  userInput?: string;
  replies: object[];
  tools?: string[];
  endless?: { from: number };
  options?: { abortAfterMs?: number; budget?: number };
}

/** A scenario from the parts that matter to a test. */
export function scenarioOf(parts: Parts): Scenario {
  const { name = "test", replies, tools = ["look"], userInput = "What is up?", ...more } = parts;
  const file = parseScenario(
    {
      title: { es: "de prueba", en: "for a test" },
      userInput,
      tools: tools.map((name) => ({
        name,
        description: { es: "de prueba", en: "for a test" },
        input_schema: { type: "object", properties: {} },
      })),
      replies,
      ...more,
    },
    name,
  );
  return openScenario(file, { name, seed: "test", lang: "en" });
}

export function twoTurns(does: object = { returns: "seen {{nonce}}" }): Scenario {
  return scenarioOf({
    replies: [{ calls: [{ tool: "look", input: { at: "a" }, does }] }, { text: "all is well {{nonce}}" }],
  });
}

/** An honest loop, with a place for code of one's own at the start of its body. */
export function honestLoop(first = "", atTop = ""): string {
  return `import { callModel, executeTool, type Message, type Tool } from "#harness";
${atTop}
export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  ${first}
  const messages: any[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    messages.push({ role: "assistant", content: response.content });
    const results = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const result = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: String(result) });
    }
    messages.push({ role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
`;
}
