import { expect, test } from "vitest";
import { honestLoop, openLab, scenarioOf } from "./testing/lab.ts";

// A stream as it gets through to a student's code: in pieces that no event cares about, and sometimes not to its end.

const lab = openLab();

const turns = (...first: object[]) =>
  scenarioOf({
    replies: [
      ...first,
      {
        thinking: "¿quién? 🛰️ {{nonce}}",
        text: "Año nuevo, {{nonce}}",
        calls: [{ tool: "look", input: { at: 'a"ñ"🛰️', list: [1, 2, 3] }, does: { returns: "seen {{nonce}}" } }],
      },
      { text: "all is well {{nonce}}" },
    ],
  });

/** The honest loop, with another way to ask. */
const asking = (how: string) =>
  honestLoop("", `import { client } from "#harness";\n${how}`)
    .replaceAll("callModel(", "ask(")
    .replace("import { ask(, ", "import { ")
    .replace("import { callModel, executeTool", "import { executeTool");

const REQUEST = `{ model: "claude-sonnet-5-5", max_tokens: 500, ...request }`;
const SDK = `const ask = (request: any) => client.messages.stream(${REQUEST}).finalMessage();`;

/** Reads the bytes by itself, as the specification of server-sent events says. */
const BY_HAND = `
async function ask(request: any): Promise<any> {
  const response = await fetch("https://api.anthropic.com/v1/messages", {
    method: "POST",
    headers: { "x-api-key": process.env.ANTHROPIC_API_KEY!, "anthropic-version": "2023-06-01", "content-type": "application/json" },
    body: JSON.stringify({ ...${REQUEST}, stream: true }),
  });
  if (!response.ok) throw new Error(await response.text());
  const decoder = new TextDecoder();
  let rest = "";
  let chunks = 0;
  let message: any;
  const json: string[] = [];
  for await (const chunk of response.body as any) {
    chunks++;
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\\n\\n");
    rest = events.pop()!;
    for (const text of events) {
      const event = JSON.parse(text.split("\\ndata: ")[1]!);
      if (event.type === "message_start") message = event.message;
      if (event.type === "content_block_start") message.content[event.index] = event.content_block;
      if (event.type === "message_delta") Object.assign(message, event.delta);
      const block = message.content[event.index];
      const delta = event.delta ?? {};
      for (const key of ["text", "thinking", "signature"]) if (delta[key]) block[key] += delta[key];
      if (delta.partial_json !== undefined) json[event.index] = (json[event.index] ?? "") + delta.partial_json;
      if (event.type === "content_block_stop" && json[event.index]) block.input = JSON.parse(json[event.index]!);
      if (event.type === "error") throw new Error("broken: " + event.error.type);
    }
  }
  console.log(chunks > 2 ? "in pieces" : "in one");
  return message;
}`;

test.each([
  ["the SDK's stream", SDK],
  ["a fetch by hand", BY_HAND],
])("%s, piece by piece, is the message", async (_what, how) => {
  const run = await lab.run(asking(how), turns());
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 1, rejected: 0 } });
  const replies = run.trace.filter((event) => event.type === "reply");
  expect(replies.map(({ streamed }) => streamed)).toEqual([true, true]);
  if (how === BY_HAND) expect(run.printed.head).toEqual(["in pieces", "in pieces"]);
});

test.each([
  ["error", { fault: 529, midStream: true }, "APIError"],
  ["cut", { fault: "cut" }, "AnthropicError"],
])("a stream that breaks off (%s) reaches the loop, which may ask again", async (how, fault, name) => {
  const again = `
async function ask(request: any): Promise<any> {
  try {
    return await client.messages.stream(${REQUEST}).finalMessage();
  } catch (error: any) {
    console.log(error.constructor.name);
    return client.messages.stream(${REQUEST}).finalMessage();
  }
}`;
  const run = await lab.run(asking(again), turns(fault));
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 1, faulted: 1 } });
  expect(run.printed.head).toEqual([name]);
  expect(run.trace.find((event) => event.type === "reply")).toMatchObject({
    kind: "fault",
    status: 200,
    broke: { how },
  });
});

test("a loop that leaves a stream before its end goes on", async () => {
  const leaving = `
async function ask(request: any): Promise<any> {
  for await (const event of await client.messages.create({ ...${REQUEST}, stream: true })) {
    if (event.type === "content_block_start") break;
  }
  return client.messages.create(${REQUEST});
}`;
  const run = await lab.run(asking(leaving), turns());
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 4, executeTool: 1 } });
});

test("tokens can be counted", async () => {
  const run = await lab.run(
    honestLoop(
      `const { input_tokens } = await client.messages.countTokens({ model: "claude-sonnet-5-5", messages: [{ role: "user", content: userInput }], tools });
  console.log(input_tokens > 10);`,
      `import { client } from "#harness";`,
    ),
    turns(),
  );
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, httpRequests: 3 } });
  expect(run.printed.head).toEqual(["true"]);
});
