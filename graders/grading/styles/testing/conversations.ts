/** Everything a whole harness meets, one conversation each, as scenario files would hold them. Only for tests. */

const tool = (name: string) => ({
  name,
  description: `${name}, for a test`,
  input_schema: { type: "object", properties: { service: { type: "string" } }, required: ["service"] },
});

const call = (name: string, service: string, does: unknown = { returns: `${name} of ${service}: {{nonce}}` }) => ({
  tool: name,
  input: { service },
  does,
});
const read = (service: string, does?: unknown) => call("read_logs", service, does);
const restart = (service: string, does?: unknown) => call("restart_service", service, does);
const answer = { text: "All is well again. {{nonce}}" };
const fails = { throws: "disk full ({{nonce}})" };

/** What the model says, entry by entry, by the name of the conversation. */
const replies = {
  "no-call": [answer],
  "one-call-a-turn": [
    { text: "First the log. {{nonce}}", calls: [read("api")] },
    {
      text: "Now a restart. {{nonce}}",
      calls: [restart("api", { returns: { restarted: "api", token: "{{nonce}}" } })],
    },
    answer,
  ],
  "parallel-calls": [
    {
      text: "All three at once. {{nonce}}",
      calls: [read("api"), read("db"), restart("web", { returns: ["{{nonce}}"] })],
    },
    answer,
  ],
  "calls-without-text": [{ calls: [read("api")] }, { calls: [restart("api")] }, answer],
  "thinks-first": [
    { thinking: "Where could it be? {{nonce}}", text: "I will look. {{nonce}}", calls: [read("api")] },
    { thinking: "So that is it. {{nonce}}", text: "It is fine. {{nonce}}" },
  ],
  "redacted-thinking": [{ redacted: "EmwKAhgBEgy3va3pzix", calls: [read("api"), read("db")] }, answer],
  "empty-end": [{ calls: [restart("api")] }, { stopReason: "end_turn" }],
  "stop-sequence": [{ calls: [read("api")] }, { text: "Up to here. {{nonce}}", stopReason: "stop_sequence" }],
  "unknown-stop-reason": [
    { calls: [read("api")] },
    { text: "That is all. {{nonce}}", stopReason: { unknown: "handed_over" } },
  ],
  "tool-throws": [{ text: "I will look. {{nonce}}", calls: [read("api", fails)] }, answer],
  "one-of-two-throws": [{ calls: [read("api"), read("db", fails)] }, { calls: [restart("db")] }, answer],
  "fails-at-first": [{ calls: [read("api", [fails, { returns: "fine ({{nonce}})" }])] }, answer],
  "unknown-tool": [{ calls: [{ tool: "reboot_planet", input: { planet: "Mars" }, invented: true }] }, answer],
  "unknown-beside-known": [
    { calls: [read("api"), { tool: "reboot_planet", input: {}, invented: true }] },
    { calls: [restart("api")] },
    answer,
  ],
  "cut-text": [{ calls: [read("api")] }, { text: "The log says that {{nonce}}", stopReason: "max_tokens" }, answer],
  "cut-call": [
    {
      text: "A restart it is. {{nonce}}",
      calls: [{ tool: "restart_service", input: {}, does: { returns: "{{nonce}}" } }],
      stopReason: "max_tokens",
    },
    { calls: [restart("api")] },
    answer,
  ],
  "cut-call-looks-whole": [
    { text: "A restart it is. {{nonce}}", calls: [restart("api")], stopReason: "max_tokens" },
    { calls: [restart("api")] },
    answer,
  ],
  "context-window": [
    { calls: [read("api")] },
    { text: "In all those lines {{nonce}}", stopReason: "model_context_window_exceeded" },
  ],
  refusal: [{ calls: [read("api")] }, { text: "I would rather not {{nonce}}", stopReason: "refusal" }, answer],
  "refused-call": [{ text: "To begin with, {{nonce}}", calls: [restart("api")], stopReason: "refusal" }, answer],
  "paused-once": [
    { calls: [read("api")] },
    { text: "Let me look that up. {{nonce}}", stopReason: "pause_turn" },
    { text: "Found it: all is well. {{nonce}}" },
  ],
  "paused-twice": [
    { text: "This takes a while. {{nonce}}", stopReason: "pause_turn" },
    { text: "Nearly there. {{nonce}}", stopReason: "pause_turn" },
    { text: "Now a restart. {{nonce}}", calls: [restart("api")] },
    answer,
  ],
  "rate-limited": [{ fault: 429, retryAfterMs: 5 }, { fault: 529 }, { calls: [read("api")] }, answer],
  overloaded: [{ calls: [read("api")] }, { fault: 529 }, answer],
  "mid-stream-error": [
    { calls: [read("api")] },
    { fault: 529, midStream: true },
    { text: "Now a restart. {{nonce}}", calls: [restart("api")] },
    answer,
  ],
  "cut-stream": [{ fault: "cut" }, { text: "I will look. {{nonce}}", calls: [read("api"), read("db")] }, answer],
  endless: [{ text: "Just one more. {{nonce}}", calls: [read("api-{{lap}}")] }],
} satisfies Record<string, unknown[]>;

export type Conversation = keyof typeof replies;

/** The conversations as scenario files, by name. */
export const conversations: Readonly<Record<Conversation, unknown>> = Object.fromEntries(
  Object.entries(replies).map(([name, entries]) => [
    name,
    {
      title: name,
      userInput: "Something is wrong. What is it?",
      tools: [tool("read_logs"), tool("restart_service")],
      replies: entries,
      ...(name === "endless" ? { endless: { from: 0 } } : {}),
    },
  ]),
) as Record<Conversation, unknown>;
