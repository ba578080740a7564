import Anthropic from "@anthropic-ai/sdk";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiMessage } from "../trace/api.ts";
import type { ReplyEvent } from "../trace/events.ts";
import type { Scenario } from "../trace/scenario.ts";
import { type Conversation, converse } from "./conversation.ts";
import { runnerScripts, scripts, seeds } from "./generate.ts";
import { respond } from "./http.ts";
import { bodyOf, promptOf, responseOf, resultsOf } from "./rehearsal.ts";
import { openScenario } from "./scenario.ts";
import type { ScenarioFile } from "./scenario-file.ts";

// The real SDK, reading what the fake API sends. `respond` is what the sandbox answers with.

const open = (file: ScenarioFile, seed: string) => openScenario(file, { name: "t", seed, lang: "en" });

function connect(scenario: Scenario) {
  const talk = converse(scenario);
  const client = new Anthropic({
    apiKey: "none",
    maxRetries: 10,
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      const { pathname: path } = new URL(String(url));
      return responseOf(respond(talk, { method: init?.method ?? "GET", path, headers, body: String(init?.body) }));
    },
  });
  return { talk, client };
}

const repliesOf = (talk: Conversation) => talk.trace.filter((event): event is ReplyEvent => event.type === "reply");

/** What the SDK read, less the field that it adds itself. */
function plain(told: unknown): unknown {
  const { parsed_output: _, ...message } = JSON.parse(JSON.stringify(told));
  return message;
}

type Ask = (client: Anthropic, body: Anthropic.MessageCreateParamsNonStreaming) => Promise<unknown>;

/** An honest loop over the SDK: whatever it is told is what the run's trace says was told. */
async function play(file: ScenarioFile, seed: string, ask: Ask) {
  const scenario = open(file, seed);
  const { talk, client } = connect(scenario);
  const messages: unknown[] = [promptOf(scenario)];
  for (;;) {
    const body = { ...bodyOf(scenario, messages), stop_sequences: ["END"] };
    const told = await ask(client, body as unknown as Anthropic.MessageCreateParamsNonStreaming).catch(
      (error: unknown) => {
        // A stream that breaks off is asked for again; nothing else may go wrong.
        expect(repliesOf(talk).at(-1)?.broke, String(error)).not.toBeNull();
        return null;
      },
    );
    if (told === null) continue;
    const { message } = repliesOf(talk).at(-1)!;
    expect(plain(told)).toEqual(message);
    const reason = message!.stop_reason;
    if (reason === "max_tokens") continue;
    if (!["tool_use", "pause_turn", "compaction"].includes(reason)) break;
    messages.push({ role: "assistant", content: message!.content });
    if (reason === "tool_use") messages.push({ role: "user", content: resultsOf(talk as never, scenario, message!) });
  }
  const replies = repliesOf(talk);
  expect(replies.filter(({ kind }) => kind === "rejection")).toEqual([]);
  expect(replies.map(({ entry }) => entry)).toEqual(file.replies.map((_, i) => i));
  return { replies };
}

const property = (check: (file: ScenarioFile, seed: string) => Promise<unknown>) =>
  fc.assert(
    fc.asyncProperty(scripts, seeds, async (file, seed) => void (await check(file, seed))),
    { numRuns: 40 },
  );

test("a message asked for whole", async () => {
  await property((file, seed) => play(file, seed, (client, body) => client.messages.create(body)));
});

test("a message that the SDK puts together from a stream", async () => {
  await property((file, seed) => play(file, seed, (client, body) => client.messages.stream(body).finalMessage()));
});

test("a message put together by hand, from the SDK's events", async () => {
  await property((file, seed) =>
    play(file, seed, async (client, body) => byHand(await client.messages.create({ ...body, stream: true }))),
  );
});

/** Puts a message together as a student would; of a call that was cut short it knows the input from elsewhere. */
async function byHand(stream: AsyncIterable<Anthropic.RawMessageStreamEvent>): Promise<unknown> {
  let message: ApiMessage | null = null;
  const content: Record<string, unknown>[] = [];
  const json: string[] = [];
  const closed = new Set<number>();
  let over = false;
  for await (const event of stream) {
    if (event.type === "message_start") message = event.message as unknown as ApiMessage;
    if (event.type === "content_block_start") content[event.index] = { ...event.content_block };
    if (event.type === "content_block_delta") {
      const block = content[event.index]!;
      if (event.delta.type === "input_json_delta") {
        json[event.index] = (json[event.index] ?? "") + event.delta.partial_json;
        continue;
      }
      const [key, text] = Object.entries(event.delta).find(([key]) => key !== "type")!;
      block[key] = String(block[key]) + text;
    }
    if (event.type === "content_block_stop") closed.add(event.index);
    if (event.type === "message_delta") {
      const { usage, ...rest } = event as unknown as { usage: object; delta: object };
      message = { ...message!, ...rest.delta, usage: { ...message!.usage, ...usage } };
    }
    if (event.type === "message_stop") over = true;
  }
  if (!over) throw new Error("the stream was cut");
  json.forEach((text, index) => {
    if (closed.has(index)) content[index]!.input = text === "" ? {} : JSON.parse(text);
    else {
      expect(message?.stop_reason).toBe("max_tokens");
      expect(() => JSON.parse(text)).toThrow();
      // All that it says so far, without the name that has begun.
      content[index]!.input = JSON.parse(`${text.replace(/,?"[^"]*$/, "")}}`);
    }
  });
  return { ...message, content };
}

test.each([false, true])("the SDK's own tool runner, with its threads; streamed: %s", async (stream) => {
  await fc.assert(
    fc.asyncProperty(runnerScripts, seeds, async (file, seed) => {
      const scenario = open(file, seed);
      const { talk, client } = connect(scenario);
      const runner = client.beta.messages.toolRunner({
        model: "claude-sonnet-5-5",
        max_tokens: 100,
        stream,
        messages: [{ role: "user", content: scenario.userInput }],
        tools: scenario.tools.map((tool) => ({
          ...tool,
          type: "custom" as const,
          parse: (input: unknown) => input,
          run: (input: unknown) => {
            const behaviour = talk.run(tool.name, input);
            if (behaviour.kind !== "returns") throw new Error("broken");
            return JSON.stringify(behaviour.value);
          },
        })),
      });
      for await (const step of runner) {
        const told = "finalMessage" in step ? await step.finalMessage() : step;
        expect(plain(told)).toEqual(repliesOf(talk).at(-1)!.message);
      }
      expect(repliesOf(talk).map(({ entry }) => entry)).toEqual(file.replies.map((_, i) => i));
      const requests = talk.trace.filter((event) => event.type === "request");
      const turns = requests.filter((_, i) => repliesOf(talk)[i]!.kind === "message");
      const kinds = turns.map(({ body }) => (body as { thread: { type: string } }).thread.type);
      expect(kinds).toEqual(kinds.map((_, i) => (i === 0 ? "create" : "continue")));
    }),
    { numRuns: 25 },
  );
});

test("a thread the server does not know is begun anew by the SDK", async () => {
  const { talk, client } = connect(
    open({ title: "t", userInput: "go", tools: [], replies: [{ text: "{{nonce}}" }] } as ScenarioFile, "s"),
  );
  const error = await client.beta.messages
    .create({
      model: "claude-sonnet-5-5",
      max_tokens: 10,
      messages: [{ role: "user", content: "and?" }],
      thread: { type: "continue", previous_message_id: "msg_01gone" },
    } as never)
    .catch((error: unknown) => error);
  expect(error).toMatchObject({ status: 404, type: "not_found_error", errorCode: "thread_not_found" });
  expect(repliesOf(talk)).toMatchObject([{ kind: "rejection", status: 404 }]);
});

test("tokens are counted as the reply would count them, and that is no turn", async () => {
  const scenario = open(
    { title: "t", userInput: "go", tools: [], replies: [{ text: "{{nonce}}" }] } as ScenarioFile,
    "s",
  );
  const { talk, client } = connect(scenario);
  const messages = [{ role: "user" as const, content: "How much is this?" }];
  const { input_tokens } = await client.messages.countTokens({ model: "claude-sonnet-5-5", messages });
  const reply = await client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 10, messages });
  expect(input_tokens).toBe(reply.usage.input_tokens);
  expect(talk.trace.map(({ type, turn }) => [type, turn])).toEqual([
    ["count-tokens", 0],
    ["request", 0],
    ["reply", 1],
  ]);
  const refused = client.messages.countTokens({ model: "claude-sonnet-5-5", messages: [] });
  await expect(refused).rejects.toThrow("at least one message is required");
  expect(talk.trace.at(-1)).toMatchObject({ type: "count-tokens", status: 400 });
});
