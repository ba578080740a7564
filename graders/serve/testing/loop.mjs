// An agent with the SDK, as a program of its own. The prompt comes on stdin, the answer goes to stdout.
// Arguments: how it asks (`create`, `stream`, `events`, `runner`), and a mistake to make.
import { text } from "node:stream/consumers";
import Anthropic from "@anthropic-ai/sdk";

const [how = "create", mistake] = process.argv.slice(2);
const client = new Anthropic();
const prompt = (await text(process.stdin)).trim();
const base = { model: "claude-sonnet-5-5", max_tokens: 1024 };
const tool = {
  name: "get_weather",
  description: "The weather in a city right now.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const run = ({ city }) => `${city}: 21 °C`;
const wordsOf = ({ content }) => content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");

const ask = {
  create: (messages) => client.messages.create({ ...base, messages, tools: [tool] }),
  stream: async (messages) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await client.messages.stream({ ...base, messages, tools: [tool] }).finalMessage();
      } catch (error) {
        // A stream that broke off says so by its error; the SDK itself makes no second attempt.
        if (attempt === 3 || error.status !== undefined) throw error;
      }
    }
  },
  /** Puts the events together by hand. A stream that ends in the middle ends without an error. */
  events: async (messages) => {
    let message = null;
    let ended = false;
    const json = [];
    for await (const event of await client.messages.create({ ...base, messages, tools: [tool], stream: true })) {
      if (event.type === "message_start") message = event.message;
      if (event.type === "content_block_start") message.content[event.index] = event.content_block;
      if (event.type === "content_block_delta") {
        const { delta, index } = event;
        if (delta.type === "text_delta") message.content[index].text += delta.text;
        if (delta.type === "input_json_delta") json[index] = (json[index] ?? "") + delta.partial_json;
      }
      if (event.type === "message_delta") message.stop_reason = event.delta.stop_reason;
      if (event.type === "message_stop") ended = true;
    }
    if (!ended && mistake !== "cut-stream-as-answer") return ask.events(messages);
    json.forEach((whole, index) => {
      message.content[index].input = JSON.parse(whole || "{}");
    });
    return message;
  },
};

async function loop() {
  const messages = [{ role: "user", content: prompt }];
  for (let turn = 1; turn <= 40; turn += 1) {
    const reply = await ask[how](messages);
    if (reply.stop_reason !== "tool_use") return reply;
    const calls = reply.content.filter((block) => block.type === "tool_use");
    const results = calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: run(input) }));
    if (mistake === "split-tool-results") {
      messages.push({ role: "assistant", content: reply.content });
      for (const result of results) messages.push({ role: "user", content: [result] });
    } else if (mistake === "missing-assistant-turn") messages.push({ role: "user", content: results });
    else messages.push({ role: "assistant", content: reply.content }, { role: "user", content: results });
  }
  throw new Error("too many turns");
}

const runner = () =>
  client.beta.messages.toolRunner({
    ...base,
    messages: [{ role: "user", content: prompt }],
    tools: [{ ...tool, type: "custom", run, parse: (input) => input }],
    ...(mistake === "preamble-as-answer" ? { max_iterations: 1 } : {}),
  });

const last = how === "runner" ? await runner() : await loop();
process.stdout.write(`${wordsOf(last)}\n`);
