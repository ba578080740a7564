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

test("a thread goes on after a fault, and after a stream that broke off", () => {
  const faulty = openScenario(
    parseScenario(
      {
        title: "t",
        userInput: "go",
        tools: [],
        replies: [
          { text: "{{nonce}}", stopReason: "pause_turn" },
          { fault: 529 },
          { fault: "cut" },
          { text: "{{nonce}}", stopReason: "compaction" },
          { text: "{{nonce}}" },
        ],
      },
      "t.json",
    ),
    { name: "t", seed: "s", lang: "en" },
  );
  const rehearsal = rehearse(faulty);
  const send = (thread: object, messages: unknown[]) =>
    rehearsal.send({ model: "claude-sonnet-5-5", max_tokens: 100, stream: true, messages, thread });
  const first = send({ type: "create" }, [promptOf(faulty)]);
  const resume = () => send({ type: "continue", previous_message_id: first.message!.id }, []);
  expect([resume(), resume()]).toMatchObject([{ status: 529 }, { status: 200, broke: { how: "cut" } }]);
  const compacted = resume();
  expect(compacted).toMatchObject({ entry: 3, message: { stop_reason: "compaction" } });
  // The search of the paused turn is still told, for all the faults.
  expect(compacted.message?.content[0]?.type).toBe("web_search_tool_result");
  expect(send({ type: "continue", previous_message_id: compacted.message!.id }, [])).toMatchObject({ entry: 4 });
});

test("a thread that goes on from a reply this run never gave is not found, and costs no turn", () => {
  const rehearsal = rehearse(scenario);
  const lost = { ...bodyOf(scenario, []), thread: { type: "continue", previous_message_id: "msg_x" } };
  expect(rehearsal.send(lost)).toMatchObject({
    ...{ kind: "rejection", status: 404, next: 0 },
    error: { type: "not_found_error", details: { error_code: "thread_not_found" } },
  });
  // What the SDK then does: all of it again, in a new thread.
  const anew = { ...bodyOf(scenario, [promptOf(scenario)]), thread: { type: "create" } };
  expect(rehearsal.send(anew)).toMatchObject({ kind: "message", entry: 0 });
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
