import { expect, test } from "vitest";
import { play } from "../testing/play.ts";
import { noCall, script, truncated, twoTurns } from "../testing/scripts.ts";
import keptGoingAfterEnd from "./kept-going-after-end.ts";
import { honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const assistant = ({ content }: { content: unknown }) => [{ role: "assistant", content }];

lists(keptGoingAfterEnd, {
  has: [
    {
      name: "an empty message after the end",
      agent: loop({ on: () => true }),
      ends: "threw",
      says: ["1 petición más", "`end_turn`"],
    },
    {
      name: "the end is pushed and the model asked at once",
      agent: loop({
        on: () => true,
        user: (results) => (results.length > 0 ? [{ role: "user", content: results }] : []),
      }),
      says: ["must end with a user message"],
    },
    {
      name: "it asks whether there is more, for ever",
      agent: loop({
        on: () => true,
        assistant,
        user: (results) => [{ role: "user", content: results.length > 0 ? results : "And?" }],
      }),
      ends: "kept-going-after-end",
      says: ["59 peticiones más"],
    },
    {
      name: "the same question, for ever",
      agent: loop({ on: () => true, assistant: () => [], user: () => [] }),
      script: script(noCall),
      ends: "kept-going-after-end",
      says: ["salió 60 veces con exactamente el mismo historial"],
    },
    {
      name: "each request made once more, at once",
      agent: (hands) =>
        loop({})({
          ...hands,
          callModel: async (request) => {
            const first = await hands.callModel(request);
            await hands.callModel(request);
            return first;
          },
        }),
      ends: "returned",
      says: ["salió 2 veces", "went out twice"],
      never: ["siguió llamándolo", "kept calling", "petición más"],
      found: ["kept-going-after-end"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "the same request again after a truncated reply",
      agent: loop({ on: ({ stop_reason }) => stop_reason === "max_tokens", assistant: () => [], user: () => [] }),
      script: script(truncated),
      headline: null,
    },
    {
      name: "two conversations in one run",
      agent: async (hands) => {
        const first = await honest(hands);
        await hands.callModel({ messages: [{ role: "user", content: "Something else" }], tools: hands.tools });
        return first;
      },
    },
  ],
});

test("a call after the loop is not laid to the loop's condition", async () => {
  const run = await play(async (hands) => {
    const response = await honest(hands);
    return hands.callModel({
      messages: [
        { role: "user", content: hands.userInput },
        { role: "assistant", content: response.content },
        { role: "user", content: "And?" },
      ],
      tools: hands.tools,
    });
  });
  const text = "export async function runAgent() {\n  await loop();\n  return await callModel(request);\n}";
  const at = { file: "agent.ts", line: 3, column: 1 };
  const last = run.trace.findLast(({ type }) => type === "request");
  const trace = run.trace.map((event) => (event === last ? { ...event, at } : event));
  const finding = keptGoingAfterEnd.detect({ ...run, trace, source: { files: [{ name: "agent.ts", text }] } });
  expect(finding?.at).toEqual(at);
  expect(finding?.headline.en).toContain("your code called it once more");
  expect(JSON.stringify(finding)).not.toMatch(/condition|condición|Your loop|Tu bucle/);
});
