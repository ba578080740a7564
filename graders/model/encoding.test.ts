import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { encode, type HttpAnswer } from "./encoding.ts";
import { answer } from "./model.ts";
import { bodyOf, promptOf, rehearse } from "./rehearsal.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario } from "./scenario-file.ts";

const scenario = openScenario(
  parseScenario(
    {
      title: "t",
      userInput: "go",
      tools: [{ name: "look", description: "looks", input_schema: { type: "object" } }],
      replies: [
        { fault: 529, retryAfterMs: 1 },
        {
          thinking: "hm {{nonce}}",
          text: "¿sí? ✓ {{nonce}}",
          calls: [
            { tool: "look", input: { path: 'a\n"b"', deep: { n: [1] } }, does: { returns: "{{nonce}}" } },
            { tool: "look", input: {}, does: { returns: "{{nonce}}" } },
          ],
        },
        { text: "{{nonce}}", stopReason: "pause_turn" },
        { text: "{{nonce}}" },
      ],
    },
    "t.json",
  ),
  { name: "t", seed: "s", lang: "en" },
);
const body = bodyOf(scenario, [promptOf(scenario)]);

/** The SDK's client, whose every request a rehearsed run answers. */
function clientOf() {
  const rehearsal = rehearse(scenario);
  const client = new Anthropic({
    apiKey: "none",
    fetch: async (_url, init) => {
      const request: unknown = JSON.parse(String(init?.body));
      const { status, headers, body } = encode(rehearsal.send(request));
      return new Response(body, { status, headers });
    },
  });
  return { rehearsal, client };
}

const params = body as unknown as Anthropic.MessageCreateParamsNonStreaming;
const given = (rehearsal: ReturnType<typeof rehearse>) =>
  rehearsal.trace.filter((event) => event.type === "reply").at(-1)?.message;

test("the SDK reads a message sent as JSON, after retrying the fault before it", async () => {
  const { rehearsal, client } = clientOf();
  expect(await client.messages.create(params)).toEqual(given(rehearsal));
  expect(rehearsal.trace.filter((event) => event.type === "reply").map((event) => event.status)).toEqual([529, 200]);
});

test("the SDK puts a streamed message together again", async () => {
  const { rehearsal, client } = clientOf();
  const message = await client.messages.stream(params).finalMessage();
  expect(message).toMatchObject({ ...given(rehearsal), content: given(rehearsal)!.content });
  expect(message.content).toHaveLength(4);
});

test("the SDK puts a paused turn together again", async () => {
  const { rehearsal, client } = clientOf();
  await client.messages.create(params);
  const results = given(rehearsal)!.content.flatMap((block) => {
    return block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "ok" }] : [];
  });
  const messages = [
    ...params.messages,
    { role: "assistant" as const, content: given(rehearsal)!.content },
    { role: "user" as const, content: results },
  ];
  const message = await client.messages
    .stream({ ...params, messages: messages as Anthropic.MessageParam[] })
    .finalMessage();
  expect(message).toMatchObject({ stop_reason: "pause_turn", content: given(rehearsal)!.content });
});

test("the SDK's own tool runner, which uses threads, gets through", async () => {
  const { rehearsal, client } = clientOf();
  const runner = client.beta.messages.toolRunner({
    model: "claude-sonnet-5-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "go" }],
    tools: [
      {
        type: "custom",
        name: "look",
        description: "looks",
        input_schema: { type: "object" },
        parse: (input) => input,
        run: (input) => JSON.stringify(rehearsal.run("look", input)),
      },
    ],
  });
  const last = await runner;
  expect(last).toMatchObject({ id: given(rehearsal)?.id, stop_reason: "end_turn" });
  expect(rehearsal.trace.filter((event) => event.type === "reply").map((event) => event.entry)).toEqual([0, 1, 2, 3]);
});

test("the SDK reads a rejection, with its type, its text and its request id", async () => {
  const { client } = clientOf();
  const error = await client.messages.create({ ...params, messages: [] }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Anthropic.BadRequestError);
  expect(error).toMatchObject({
    status: 400,
    type: "invalid_request_error",
    requestID: expect.stringMatching(/^req_/),
  });
  expect(String(error)).toContain("messages: at least one message is required");
});

/** The bytes of an answer, piece by piece, each decoded by itself. */
function piecesOf({ body, pieces }: HttpAnswer): string[] {
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  return pieces.map((length) => {
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  });
}

test("a stream is cut anywhere: inside a character, between the two ends of a line, and by the seed alone", () => {
  const streamed = { ...body, stream: true };
  const rehearsal = rehearse(scenario);
  rehearsal.send(body);
  const once = encode(answer(scenario, rehearsal.trace, { body: streamed }));
  expect(once.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(once.pieces.reduce((sum, length) => sum + length, 0)).toBe(new TextEncoder().encode(once.body).length);
  expect(Math.min(...once.pieces)).toBeGreaterThan(0);
  const pieces = piecesOf(once);
  expect(pieces.some((piece) => piece.includes("\uFFFD"))).toBe(true);
  expect(pieces.some((piece, i) => piece.endsWith("\n") && pieces[i + 1]?.startsWith("\n"))).toBe(true);
  expect(encode(answer(scenario, rehearsal.trace, { body: streamed }))).toEqual(once);
  expect(encode(answer(scenario, rehearsal.trace, { body })).pieces).toEqual([]);
});

test("each event is a name and its data, which say the same", () => {
  const streamed = { ...body, stream: true };
  const rehearsal = rehearse(scenario);
  rehearsal.send(body);
  const events = encode(answer(scenario, rehearsal.trace, { body: streamed })).body.split("\n\n");
  expect(events.pop()).toBe("");
  for (const event of events) {
    const [name, data, ...rest] = event.split("\n");
    expect(rest).toEqual([]);
    expect(name).toBe(`event: ${JSON.parse(data!.replace(/^data: /, "")).type}`);
  }
});

test("a failure is JSON even when a stream was asked for", () => {
  const streamed = { ...body, stream: true };
  const fault = encode(answer(scenario, [], { body: streamed }));
  expect(fault).toMatchObject({ status: 529, headers: { "content-type": "application/json", "retry-after-ms": "1" } });
  expect(JSON.parse(fault.body)).toEqual({
    type: "error",
    error: { type: "overloaded_error", message: "Overloaded" },
    request_id: fault.headers["request-id"],
  });
  const rejected = encode(answer(scenario, [], { body: {} }));
  expect(rejected).toMatchObject({ status: 400, headers: { "x-should-retry": "false" } });
});
