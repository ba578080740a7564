import { expect, test } from "vitest";
import { bodyOf, promptOf, rehearse, resultsOf } from "./rehearsal.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario } from "./scenario-file.ts";
import { rebuildThread } from "./threads.ts";

const scenario = openScenario(
  parseScenario(
    {
      title: "t",
      userInput: "go",
      tools: [{ name: "look", description: "looks", input_schema: { type: "object" } }],
      replies: [
        { calls: [{ tool: "look", input: { n: 1 }, does: { returns: "{{nonce}}" } }] },
        { text: "{{nonce}}", stopReason: "pause_turn" },
        { text: "{{nonce}}" },
      ],
    },
    "t.json",
  ),
  { name: "t", seed: "s", lang: "en" },
);

test("a thread that sends only what is new is read as the whole conversation", () => {
  const rehearsal = rehearse(scenario);
  const basics = { model: "claude-sonnet-5-5", max_tokens: 100 };
  const first = rehearsal.send({ ...bodyOf(scenario, [promptOf(scenario)]), thread: { type: "create" } });
  const results = resultsOf(rehearsal, scenario, first.message!);
  const second = rehearsal.send({
    ...basics,
    messages: [{ role: "user", content: results }],
    thread: { type: "continue", previous_message_id: first.message!.id },
  });
  expect(second).toMatchObject({ entry: 1, kind: "message" });

  const resume = { ...basics, messages: [], thread: { type: "continue", previous_message_id: second.message!.id } };
  expect(rebuildThread(rehearsal.trace, resume)).toEqual({
    ...bodyOf(scenario, [
      promptOf(scenario),
      { role: "assistant", content: first.message!.content },
      { role: "user", content: results },
      { role: "assistant", content: second.message!.content },
    ]),
    max_tokens: 100,
  });
  expect(rehearsal.send(resume)).toMatchObject({ entry: 2, final: true });
  const requests = rehearsal.trace.filter((event) => event.type === "request");
  expect(requests.map((event) => event.history.length)).toEqual([1, 3, 4]);
  expect(requests.map((event) => event.tools)).toEqual([["look"], ["look"], ["look"]]);
});

test("other bodies, and continuations of a reply never given, are left as they are", () => {
  const bodies = [
    null,
    3,
    { messages: [] },
    { thread: { type: "create" } },
    { thread: { type: "continue", previous_message_id: "msg_x" } },
  ];
  for (const body of bodies) expect(rebuildThread([], body)).toBe(body);
});
