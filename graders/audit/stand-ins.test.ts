/** An audit with stand-ins goes on as long as nothing shows that a tool may have been run in earnest. */
import { expect, test } from "vitest";
import { type Agent, type Hands, play, playBeside } from "../testing/play.ts";
import type { ApiMessage } from "../trace/api.ts";
import { LANGS } from "../trace/text.ts";
import { audit } from "./audit.ts";
import type { Stage } from "./stage/stage.ts";
import { callsOf } from "./testing/honest.ts";
import { loop } from "./testing/loops.ts";

const TOOLS = ["find_order", "refund_order"].map((name) => ({
  name,
  input_schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
}));

function stageOf(agent: Agent): Stage {
  return {
    clock: "virtual",
    entry: "runAgent",
    layers: [],
    endpoint: "",
    whenSilent: { es: "", en: "" },
    play: (scenarios, { together, stopWhen: _, ...how }) =>
      together
        ? playBeside(agent, scenarios, together, how)
        : Promise.all(scenarios.map((scenario) => play(agent, { ...how, scenario, cap: 15 }))),
    close: async () => {},
  };
}

type Answer = (hands: Hands, call: ReturnType<typeof callsOf>[number]) => unknown;

/** @param answers what its calls of each tool come to; a stand-in is asked for the others */
function audited(answers: Readonly<Record<string, Answer>>) {
  const answer: Answer = ({ executeTool }, { name, input }) => executeTool(name, input);
  const results = (hands: Hands, reply: Pick<ApiMessage, "content">) =>
    Promise.all(
      callsOf(reply).map(async (call) => {
        const id = { type: "tool_result", tool_use_id: call.id };
        try {
          return { ...id, content: String(await (answers[call.name] ?? answer)(hands, call)) };
        } catch (error) {
          return { ...id, content: (error as Error).message, is_error: true };
        }
      }),
    );
  const agent = loop({
    results,
    request: ({ messages }) => ({ messages, tools: TOOLS }),
    answer: (reply) => reply,
  });
  const settings = { ignore: {}, inputs: {}, allowTools: [], maxCalls: 40 };
  const more = { subject: "agent.ts", kit: "test", seed: "seed", lang: "en", settings } as const;
  return audit({ ...more, stage: stageOf(agent), usesHarness: false, stubbed: true });
}

const fail = (words: string) => () => {
  throw new Error(words);
};

test.each<[string, Readonly<Record<string, Answer>>, string]>([
  ["all of them", { find_order: () => "sent", refund_order: () => "paid back" }, "sent"],
  ["one of two", { refund_order: () => "paid back" }, "paid back"],
  ["one of two, and it fails", { refund_order: fail("no order 7 in the ledger") }, "no order 7 in the ledger"],
  ["all of them, and they fail", { find_order: fail("timed out"), refund_order: fail("timed out") }, "timed out"],
])("it stops where tools may have been run: %s", async (_what, answers, said) => {
  const made = await audited(answers);
  if (made.ok) throw new Error("It was audited");
  for (const lang of LANGS) expect(made.why[lang]).toContain(`\`${said}\``);
  expect(made.why.en).toMatch(/`\w+_order`.*may really have been run/);
});

const cached = new Map<string, unknown>();

test.each<[string, Readonly<Record<string, Answer>>]>([
  ["a stand-in is asked for each", {}],
  ["the user is asked first, and declines", { refund_order: fail("The user declined this call") }],
  ["the same, unflagged", { refund_order: () => "Permission denied: refund_order needs approval." }],
  ["it does not know its own tool", { refund_order: fail("Unknown tool: refund_order") }],
  ["the input does not fit its schema", { refund_order: fail("Invalid arguments for refund_order") }],
  ["it fails on its way to the tool", { refund_order: fail("handlers[call.tool] is not a function") }],
  [
    "it runs another tool in its place",
    { refund_order: ({ executeTool }, { input }) => executeTool("find_order", input) },
  ],
  [
    "it keeps what a call came to",
    {
      find_order: async ({ executeTool }, { name, input }) => {
        const key = JSON.stringify(input);
        if (!cached.has(key)) cached.set(key, await executeTool(name, input));
        return cached.get(key);
      },
    },
  ],
])("it goes on where the loop answers by itself: %s", async (_what, answers) => {
  const made = await audited(answers);
  expect(made.ok ? "" : made.why.en).toBe("");
});
