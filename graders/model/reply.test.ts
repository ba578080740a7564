import { expect, test } from "vitest";
import type { ReplyBlock } from "../trace/api.ts";
import type { Answer } from "./model.ts";
import { bodyOf, promptOf, type Rehearsal, rehearse, resultsOf } from "./rehearsal.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario } from "./scenario-file.ts";

const open = (replies: unknown[], seed = "s") =>
  openScenario(
    parseScenario(
      {
        title: "t",
        userInput: "go",
        tools: [{ name: "look", description: "looks", input_schema: { type: "object" } }],
        replies,
      },
      "t.json",
    ),
    { name: "t", seed, lang: "en" },
  );
const look = (input: object = {}, returns = "{{nonce}}") => ({ tool: "look", input, does: { returns } });
const end = { text: "{{nonce}}" };
const search = { query: "status", finds: "all normal {{nonce}}" };
const pushed = (answer: Answer) => ({ role: "assistant", content: answer.message!.content });
const typesOf = (blocks: readonly ReplyBlock[] | undefined) => blocks?.map(({ type }) => type);

/** Plays a script up to a reply: its answer, and the messages that were sent for it. */
function upTo(rehearsal: Rehearsal, scenario: ReturnType<typeof open>, entry: number) {
  const messages: unknown[] = [promptOf(scenario)];
  for (;;) {
    const answer = rehearsal.send(bodyOf(scenario, messages));
    if (answer.entry === entry) return { answer, messages };
    messages.push(pushed(answer));
    const results = resultsOf(rehearsal, scenario, answer.message!);
    if (results.length > 0) messages.push({ role: "user", content: results });
  }
}

test("the same thinking has the same signature in all of a run, and another in another run", () => {
  const scenario = open([{ thinking: "hm {{nonce}}", calls: [look()] }, end]);
  const signature = (seed: string) => {
    const run = rehearse(open([{ thinking: "hm {{nonce}}", calls: [look()] }, end], seed));
    const body = bodyOf(scenario, [promptOf(scenario)]);
    const found = [run.send(body), run.send(body)].map(({ message }) => {
      const [block] = message!.content;
      return block?.type === "thinking" ? block.signature : null;
    });
    expect(found[0]).toMatch(/^Er\w{118}==$/);
    expect(found[1]).toBe(found[0]);
    return found[0];
  };
  expect(signature("a")).toBe(signature("a"));
  expect(signature("a")).not.toBe(signature("b"));
});

test("a refusal names its category", () => {
  const { message } = rehearse(open([{ text: "{{nonce}}", stopReason: "refusal" }, end])).send(
    bodyOf(open([end]), [{ role: "user", content: "go" }]),
  );
  expect(message?.stop_details).toEqual({
    type: "refusal",
    category: expect.stringMatching(/^(cyber|bio|frontier_llm|reasoning_extraction|general_harms)$/),
    explanation: expect.any(String),
  });
});

test("a reason to stop that nobody knows goes out as it is", () => {
  const answer = rehearse(open([{ text: "{{nonce}}", stopReason: { unknown: "second_thoughts" } }])).send(
    bodyOf(open([end]), [{ role: "user", content: "go" }]),
  );
  expect(answer).toMatchObject({ message: { stop_reason: "second_thoughts" }, complete: true, final: true });
});

test("a search that is done stands in the reply with what it found, and is counted", () => {
  const scenario = open([{ search, text: "so {{nonce}}", calls: [look()] }, end]);
  const { message } = rehearse(scenario).send(bodyOf(scenario, [promptOf(scenario)]));
  expect(typesOf(message?.content)).toEqual(["server_tool_use", "web_search_tool_result", "text", "tool_use"]);
  const [asked, found] = message!.content as unknown as [{ id: string }, { tool_use_id: string }];
  expect(found.tool_use_id).toBe(asked.id);
  expect(message?.usage.server_tool_use).toEqual({ web_search_requests: 1, web_fetch_requests: 0 });
});

test("what a paused turn searches for opens the reply that follows it, and only that", () => {
  const scenario = open([
    { text: "wait {{nonce}}", search, stopReason: "pause_turn" },
    { text: "and {{nonce}}", stopReason: "pause_turn" },
    { text: "now {{nonce}}", calls: [look()] },
    end,
  ]);
  const rehearsal = rehearse(scenario);
  const first = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
  expect(typesOf(first.message?.content)).toEqual(["text", "server_tool_use"]);
  const pending = first.message!.content[1] as { id: string };

  const second = rehearsal.send(bodyOf(scenario, [promptOf(scenario), pushed(first)]));
  expect(typesOf(second.message?.content)).toEqual(["web_search_tool_result", "text", "server_tool_use"]);
  expect(second.message?.content[0]).toMatchObject({
    tool_use_id: pending.id,
    content: [{ type: "web_search_result", title: expect.stringMatching(/^all normal #/) }],
  });
  // The two parts of the turn are one message to the API, or two in a row: it reads the same.
  const third = rehearsal.send(bodyOf(scenario, [promptOf(scenario), pushed(first), pushed(second)]));
  expect(third.message?.content[0]).toMatchObject({
    type: "web_search_tool_result",
    tool_use_id: (second.message!.content[2] as { id: string }).id,
  });

  // A turn that was not sent back, or was answered by somebody else, has nothing at work.
  const elsewhere = rehearse(scenario);
  const paused = elsewhere.send(bodyOf(scenario, [promptOf(scenario)]));
  expect(typesOf(elsewhere.send(bodyOf(scenario, [promptOf(scenario)])).message?.content)).toEqual([
    "text",
    "server_tool_use",
  ]);
  const goOn = [promptOf(scenario), pushed(paused), { role: "user", content: "go on" }];
  expect(elsewhere.send(bodyOf(scenario, goOn)).message?.content[0]?.type).toBe("text");
});

test("a compacted conversation is handed back with what it has become, and goes on from there", () => {
  const scenario = open([{ text: "so {{nonce}}", stopReason: "compaction" }, end]);
  const rehearsal = rehearse(scenario);
  const compacted = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
  expect(compacted).toMatchObject({ complete: false, message: { stop_reason: "compaction" } });
  expect(compacted.message?.content.at(-1)).toMatchObject({ type: "compaction", content: expect.any(String) });
  expect(rehearsal.send(bodyOf(scenario, [promptOf(scenario), pushed(compacted)]))).toMatchObject({ entry: 1 });
});

test.each([
  ["error", { fault: 529, midStream: true }, 529],
  ["cut", { fault: "cut" }, 500],
])(
  "a stream that breaks off (%s) has begun the next reply; without a stream there is a status",
  (how, fault, status) => {
    const scenario = open([
      { text: "a {{nonce}}", calls: [look()] },
      fault,
      { text: "b {{nonce}}", calls: [look()] },
      end,
    ]);
    const whole = rehearse(scenario);
    const { answer: plain } = upTo(whole, scenario, 1);
    expect(plain).toMatchObject({ kind: "fault", status, broke: null, events: null, next: 2 });

    const rehearsal = rehearse(scenario);
    const first = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
    const messages = [
      promptOf(scenario),
      pushed(first),
      { role: "user", content: resultsOf(rehearsal, scenario, first.message!) },
    ];
    const streamed = { ...bodyOf(scenario, messages), stream: true };
    const broken = rehearsal.send(streamed);
    expect(broken).toMatchObject({
      ...{
        kind: "fault",
        status: 200,
        message: null,
        streamed: true,
        entry: 1,
        next: 2,
        complete: false,
        final: false,
      },
      error: how === "error" ? { type: "overloaded_error" } : null,
      broke: { how, begun: { role: "assistant", stop_reason: null } },
    });
    expect(broken.events?.[0]?.type).toBe("message_start");
    expect(broken.events?.at(-1)?.type === "error").toBe(how === "error");
    if (how === "error") {
      expect(broken.events?.at(-1)).toEqual({
        type: "error",
        error: { details: null, type: "overloaded_error", message: "Overloaded" },
        request_id: broken.headers["request-id"],
      });
    }
    const trace = rehearsal.trace.at(-1);
    expect(trace).toMatchObject({ type: "reply", broke: { how } });
    expect(trace).not.toHaveProperty("events");

    // The same request again is answered, with an id of its own.
    const again = rehearsal.send(streamed);
    expect(again).toMatchObject({ kind: "message", entry: 2 });
    expect(again.message?.id).not.toBe(broken.broke?.begun.id);
  },
);

test("a call whose input was all there when the stream broke off can be run, and is the same call again afterwards", () => {
  const script = [
    { fault: "cut" },
    { calls: [{ tool: "look", input: {}, does: [{ returns: "one {{nonce}}" }, { returns: "two {{nonce}}" }] }] },
    end,
  ];
  for (let seed = 0; ; seed++) {
    const scenario = open(script, `${seed}`);
    const rehearsal = rehearse(scenario);
    const body = { ...bodyOf(scenario, [promptOf(scenario)]), stream: true };
    const [begun] = rehearsal.send(body).broke!.begun.content;
    if (begun?.type !== "tool_use") continue;
    expect(rehearsal.run("look", begun.input)).toMatchObject({ value: expect.stringMatching(/^one/) });
    expect(rehearsal.trace.at(-2)).toMatchObject({ type: "tool-call", answers: begun.id });
    rehearsal.send(body);
    expect(rehearsal.run("look", {})).toMatchObject({ value: expect.stringMatching(/^two/) });
    break;
  }
});

test("a broken stream offers no tool that the request did not", () => {
  const scenario = open([{ fault: "cut" }, { calls: [look()] }, end]);
  const body = { ...bodyOf(scenario, [promptOf(scenario)]), tools: [], stream: true };
  const { broke } = rehearse(scenario).send(body);
  expect(broke?.begun.content.every(({ type }) => type === "text")).toBe(true);
});
