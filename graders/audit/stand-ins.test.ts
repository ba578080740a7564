/** An audit with stand-ins goes on as long as nothing shows that a tool may have been run in earnest. */
import { expect, test } from "vitest";
import type { Hands } from "../testing/play.ts";
import type { ApiMessage } from "../trace/api.ts";
import { LANGS } from "../trace/text.ts";
import { audited } from "./testing/audited.ts";
import { callsOf } from "./testing/honest.ts";
import { loop } from "./testing/loops.ts";

const TOOLS = ["find_order", "refund_order"].map((name) => ({
  name,
  input_schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
}));

type Answer = (hands: Hands, call: ReturnType<typeof callsOf>[number]) => unknown;

/** @param answers what its calls of each tool come to; a stand-in is asked for the others */
function answering(answers: Readonly<Record<string, Answer>>) {
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
  return audited(agent);
}

const fail = (words: string) => () => {
  throw new Error(words);
};

test.each<[string, Readonly<Record<string, Answer>>, string]>([
  ["all of them", { find_order: () => "sent", refund_order: () => "paid back" }, "sent"],
  ["one of two", { refund_order: () => "paid back" }, "paid back"],
  ["its words being of what a tool does", { refund_order: () => "Order 7 was cancelled" }, "Order 7 was cancelled"],
  ["its words being of a user of its own", { refund_order: () => "User 7 is now blocked" }, "User 7 is now blocked"],
  ["all of them, and they fail", { find_order: fail("timed out"), refund_order: fail("timed out") }, "timed out"],
])("it stops where tools may have been run: %s", async (_what, answers, said) => {
  const made = await answering(answers);
  if (made.ok) throw new Error("It was audited");
  for (const lang of LANGS) expect(made.why[lang]).toContain(`\`${said}\``);
  expect(made.why.en).toMatch(/`\w+_order`.*may really have been run/);
});

/** Said without `is_error`: then only the words tell. */
const UNFLAGGED = [
  "The user rejected this call.",
  "Tool call cancelled.",
  "Blocked by policy.",
  "You have not confirmed: no approval was given.",
  "Only one refund per conversation is run.",
  "Call limit reached.",
  "El usuario no aprobó esta llamada.",
  "El operador rechazó la acción.",
  "Llamada cancelada por el usuario.",
  "Bloqueado por la política de reembolsos.",
  "Solo un reembolso por conversación.",
  "Se alcanzó el límite de llamadas.",
];

const cached = new Map<string, unknown>();

test.each<[string, Readonly<Record<string, Answer>>]>([
  ["a stand-in is asked for each", {}],
  ["the user is asked first, and declines", { refund_order: fail("The user declined this call") }],
  ["the same, unflagged", { refund_order: () => "Permission denied: refund_order needs approval." }],
  ["the user is asked first, and says no", { refund_order: fail("The user did not approve this call.") }],
  ["only so many calls are run", { refund_order: fail("Rate limit: only one refund per conversation") }],
  ["an error nobody thought of here", { refund_order: fail("Come back on a working day") }],
  ...UNFLAGGED.map((said): [string, Readonly<Record<string, Answer>>] => [said, { refund_order: () => said }]),
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
  const made = await answering(answers);
  expect(made.ok ? "" : made.why.en).toBe("");
});

test("which tools never got to their stand-ins is told beside the report, with what the model was told", async () => {
  const none = await answering({});
  expect(none).toMatchObject({ ok: true, notes: [] });
  const made = await answering({ refund_order: fail("Come back on a working day") });
  if (!made.ok) throw new Error(made.why.en);
  expect(made.notes.length).toBe(1);
  for (const lang of LANGS) {
    expect(made.notes[0]?.[lang]).toContain("`refund_order` (`Come back on a working day`)");
    expect(made.notes[0]?.[lang]).not.toContain("find_order");
  }
});
