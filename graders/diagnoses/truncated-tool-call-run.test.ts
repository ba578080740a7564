import { script, twoTurns } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentively } from "./testing/stops.ts";
import truncatedToolCallRun from "./truncated-tool-call-run.ts";

const call = (input: object, does: unknown = { returns: "log {{nonce}}" }) => ({ tool: "read_logs", input, does });
const end = { text: "All is well. {{nonce}}" };
const whole = { text: "I will look. {{nonce}}", calls: [call({ service: "api" })] };
/** Half a call, then the same with room enough. */
const half = script([{ ...whole, calls: [call({})], stopReason: "max_tokens" }, whole, end]);
/** A whole call, as far as one can see, of a reply that was cut. */
const seemsWhole = script([{ ...whole, stopReason: "max_tokens" }, whole, end]);
/** The first of two is whole. */
const second = script([
  { calls: [call({ service: "api" }), call({ service: "d" })], stopReason: "max_tokens" },
  { calls: [call({ service: "api" }), call({ service: "db" })] },
  end,
]);
const full = script([{ ...whole, stopReason: "model_context_window_exceeded" }, end]);
const failing = script([
  { ...whole, calls: [call({ service: "api" }, [{ throws: "busy {{nonce}}" }, { returns: "log {{nonce}}" }])] },
  { ...whole, stopReason: "max_tokens" },
  end,
]);
const broken = script([{ fault: "cut" }, whole, end]);

/** Whoever looks for calls and not for why the model stopped. */
const anyCall = { on: ({ content }: { content: readonly { type: string }[] }) => content.some(isCall) };
function isCall({ type }: { type: string }) {
  return type === "tool_use";
}

lists(truncatedToolCallRun, {
  has: [
    {
      name: "half an input",
      agent: loop(anyCall),
      script: half,
      ends: "returned",
      says: ["`read_logs`", "toolu_", "falta `service`", "where `service` is missing", "`max_tokens`"],
    },
    {
      name: "half an input that the tool cannot take",
      agent: loop(anyCall),
      script: script([
        { ...whole, calls: [call({}, { throws: "no service {{nonce}}" })], stopReason: "max_tokens" },
        end,
      ]),
      ends: "threw",
      found: ["truncated-tool-call-run"],
    },
    {
      name: "half an input, mended by hand",
      agent: loop({
        ...anyCall,
        result: async ({ id, name, input }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: await execute(name, { service: "web", ...(input as object) }).catch(String),
        }),
      }),
      script: half,
      headline: "truncated-tool-call-run",
    },
    {
      name: "an input that looks whole",
      agent: loop(anyCall),
      script: seemsWhole,
      found: ["truncated-tool-call-run"],
      never: ["falta `"],
    },
    { name: "the second of two", agent: loop(anyCall), script: second, says: ['{"service":"d"}'] },
    {
      name: "in a full context window",
      agent: loop(anyCall),
      script: full,
      says: ["model_context_window_exceeded"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...attentively(half),
    ...attentively(seemsWhole),
    ...attentively(full),
    {
      name: "only the first of two, and the cut one answered as an error",
      agent: loop({
        ...anyCall,
        result: async ({ id, name, input }, execute) => {
          if ((input as { service: string }).service === "d")
            return { type: "tool_result", tool_use_id: id, content: "cut off: ask again", is_error: true };
          return { type: "tool_result", tool_use_id: id, content: String(await execute(name, input)) };
        },
      }),
      script: second,
      headline: null,
    },
    {
      name: "a failed call is tried again in the turn before",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const { content, stop_reason } = await callModel({ messages, tools });
          if (stop_reason === "max_tokens") continue;
          if (stop_reason !== "tool_use") return { content, stop_reason };
          messages.push({ role: "assistant", content });
          for (const block of content) {
            if (block.type !== "tool_use") continue;
            const run = () => executeTool(block.name, block.input);
            const output = await run().catch(run);
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content: output }] });
          }
        }
      },
      script: failing,
      headline: null,
    },
    {
      name: "a stream that broke off is asked for again, and what comes whole is run",
      agent: loop({ request: (request) => ({ ...request, stream: true }), retry: () => true }),
      script: broken,
      headline: null,
    },
  ],
});
