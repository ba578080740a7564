import { script, silentTurns, threeAtOnce, truncated, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import partialTurn from "./partial-turn.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

type Blocks = readonly { type: string }[];
const keeping = (pick: (content: Blocks) => Blocks) => ({
  assistant: ({ content }: { content: Blocks }) => [{ role: "assistant", content: pick(content) }],
});
const without = (type: string) => keeping((content) => content.filter((block) => block.type !== type));

const call = (service: string) => ({ tool: "read_logs", input: { service }, does: { returns: "log {{nonce}}" } });
const thinks = script([
  { thinking: "The api first. {{nonce}}", text: "I will look. {{nonce}}", calls: [call("api")] },
  { text: "All is well. {{nonce}}" },
]);
const cutInCall = script([
  { text: "Both. {{nonce}}", calls: [call("api"), call("db")], stopReason: "max_tokens" },
  { text: "All is well. {{nonce}}" },
]);
const demands = ["whole-history"] as const;

lists(partialTurn, {
  has: [
    {
      name: "the words are left out, where all is asked for",
      agent: loop(without("text")),
      demands,
      ends: "returned",
      says: ["traía `text` y `tool_use`", "le falta su `text`", "without its `text`"],
      never: ["nadie pidió", "nobody asked"],
      found: ["partial-turn"],
    },
    {
      name: "the thinking stays and the words do not, where all is asked for",
      agent: loop(without("text")),
      script: thinks,
      demands,
      found: ["partial-turn"],
    },
    {
      name: "the last block alone, of a turn with two calls",
      agent: loop(keeping((content) => content.slice(-1))),
      script: script(twoAtOnce),
      ends: "threw",
      says: ["la llamada a `read_logs` (`toolu_", "the call of `read_logs` (`toolu_", "unexpected `tool_use_id`"],
      never: ["su `text`", "its `text`"],
      found: ["partial-turn"],
    },
    {
      name: "the first call alone, of three",
      agent: loop(keeping((content) => content.slice(0, 1))),
      script: script(threeAtOnce),
      says: ["`restart_service`", "`read_logs`"],
      found: ["partial-turn"],
    },
    {
      name: "a call is neither kept nor run nor answered, where all is asked for",
      agent: loop({ ...keeping((content) => content.slice(0, 2)), calls: (calls) => calls.slice(0, 1) }),
      script: script(twoAtOnce),
      demands,
      says: ["la llamada a `read_logs`"],
      never: ["nadie pidió", "nobody asked"],
      found: ["partial-turn"],
    },
    {
      name: "a filter, in sight",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          const turn = response.content.filter((block) => block.type !== "text");
          messages.push({ role: "assistant", content: turn });
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content }] });
          }
          response = await callModel({ messages, tools });
        }
        return response;
      },
      demands,
      line: 11,
    },
  ],
  hasNot: [
    ...[script(twoTurns), script(silentTurns), script(twoAtOnce), thinks].flatMap((each) =>
      honestly(each).map((one) => ({ ...one, demands })),
    ),
    { name: "the words are left out, and nobody asks for all", agent: loop(without("text")), headline: null },
    {
      name: "the words go before the calls, in a message of their own",
      agent: loop({
        assistant: ({ content }) => [
          { role: "assistant", content: content.filter(({ type }) => type === "text") },
          { role: "assistant", content: content.filter(({ type }) => type !== "text") },
        ],
      }),
      demands,
      headline: null,
    },
    {
      name: "the words of older turns are trimmed",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: (messages as { role: string; content: Blocks }[]).map(({ role, content }, index) =>
            role === "assistant" && index < messages.length - 2
              ? { role, content: content.filter(({ type }) => type !== "text") }
              : { role, content },
          ),
          tools,
        }),
      }),
      demands,
      headline: null,
    },
    {
      name: "a question beside the conversation comes first",
      agent: async (hands) => {
        const step = loop({
          request: (request) => request,
          result: async ({ id, name, input }, execute) => {
            const content = JSON.stringify(await execute(name, input));
            await hands.callModel({ messages: [{ role: "user", content: `Is it true? ${content}` }] });
            return { type: "tool_result", tool_use_id: id, content };
          },
        });
        return step(hands);
      },
      demands,
    },
    {
      name: "a call is neither kept nor run nor answered, and nobody asks for all",
      agent: loop({ ...keeping((content) => content.slice(0, 2)), calls: (calls) => calls.slice(0, 1) }),
      script: script(twoAtOnce),
      headline: null,
    },
    {
      name: "of a turn that was cut in its last call the whole one is kept",
      agent: loop({
        ...keeping((content) => content.slice(0, 2)),
        on: ({ stop_reason }, turn) => stop_reason === "max_tokens" && turn === 0,
        user: (results) => [{ role: "user", content: results }],
      }),
      script: cutInCall,
      demands,
    },
    { name: "a reply without calls", agent: loop({}), script: script(truncated), demands },
    {
      name: "with the thinking it is another mistake",
      agent: loop(keeping((content) => content.filter(({ type }) => type === "tool_use"))),
      script: thinks,
      demands,
      headline: "dropped-thinking",
    },
    {
      name: "without any call it is another mistake",
      agent: loop(keeping((content) => content.filter(({ type }) => type === "text"))),
      demands,
      headline: "text-only-history",
    },
    {
      name: "altered words are another mistake",
      agent: loop(
        keeping((content) =>
          content.map((block) => ("text" in block ? { ...block, text: String(block.text).slice(7) } : block)),
        ),
      ),
      demands,
      headline: "rewritten-history",
    },
  ],
});
