import * as fc from "fast-check";
import type { FileCall, FileFault, FileReply, ScenarioFile } from "./scenario-file.ts";

// Generated scenarios, for tests.

const tools: ScenarioFile["tools"] = ["read_log", "restart", "list"].map((name) => ({
  name,
  description: { es: `Usa ${name}`, en: `Use ${name}` },
  input_schema: { type: "object", properties: { service: { type: "string" } } },
}));

const line = fc
  .constantFrom("Un momento {{nonce}}", "{{nonce}}: #abc123 {{service}}", 'Año 👩‍🚀 "\\n"\n{{nonce}} 🛰️')
  .map((text) => ({ es: text, en: text }));

const does: fc.Arbitrary<FileCall["does"]> = fc.constantFrom<FileCall["does"]>(
  { returns: "ok {{nonce}}", takesMs: 5 },
  { returns: { state: ["{{service}}", { note: "{{nonce}}" }], n: "{{n}}" } },
  { throws: "no answer {{nonce}}" },
  [{ throws: "once {{nonce}}" }, { returns: "then {{nonce}}" }],
);

const call: fc.Arbitrary<FileCall> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      tool: fc.constantFrom("read_log", "restart", "list"),
      input: fc.constantFrom<FileCall["input"]>(
        {},
        { service: "{{service}}" },
        { n: "{{n}}", lap: "{{lap}}" },
        { service: 'a\n"b" 🛰️', list: [1, { deep: null }], text: "x".repeat(80) },
      ),
      does,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ tool: fc.constant("restart"), input: fc.constant({}), refuse: fc.constant(true as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      tool: fc.constant("made_up"),
      input: fc.constant({}),
      invented: fc.constant(true as const),
    }),
  },
);

const search = fc.constant<FileReply["search"]>({ query: "state of {{service}} 🛰️", finds: "all normal {{nonce}}" });

/** What may stand before the words of any reply. */
const before = { thinking: line, redacted: fc.constant("EqUD"), search };

const asking: fc.Arbitrary<FileReply> = fc.record(
  { ...before, text: line, calls: fc.array(call, { minLength: 1, maxLength: 4 }) },
  { requiredKeys: ["calls"] },
);

const cutShort: fc.Arbitrary<FileReply> = fc.record(
  { text: line, calls: fc.array(call, { minLength: 1, maxLength: 2 }), stopReason: fc.constant("max_tokens" as const) },
  { requiredKeys: ["text", "stopReason"] },
);

/** A turn that is handed back, to go on from where it stopped. */
const paused: fc.Arbitrary<FileReply> = fc.record(
  { ...before, text: line, stopReason: fc.constantFrom("pause_turn" as const, "compaction" as const) },
  { requiredKeys: ["stopReason"] },
);

const retryAfterMs = fc.integer({ min: 1, max: 3 });

/** Faults that are over with the next attempt. */
const atOnce: fc.Arbitrary<FileFault> = fc.record({
  fault: fc.constantFrom(429 as const, 500 as const, 504 as const, 529 as const),
  retryAfterMs,
});

const fault: fc.Arbitrary<FileFault> = fc.oneof(
  atOnce,
  fc.record({
    fault: fc.constantFrom(500 as const, 529 as const),
    midStream: fc.constant(true as const),
    retryAfterMs,
  }),
  fc.record({ fault: fc.constant("cut" as const), retryAfterMs }),
);

/** How a script may end. */
const end: fc.Arbitrary<FileReply> = fc.record(
  {
    ...before,
    text: line,
    more: fc.array(line, { minLength: 1, maxLength: 2 }),
    stopReason: fc.constantFrom<NonNullable<FileReply["stopReason"]>[]>(
      ...(["end_turn", "stop_sequence", "refusal", "model_context_window_exceeded"] as const),
      { unknown: "second_thoughts" },
    ),
  },
  { requiredKeys: ["text"] },
);

const base = {
  title: "generated",
  vars: { service: ["payments", "billing", "search"], n: { from: 1, to: 9 } },
  userInput: { es: "Revisa {{service}}", en: "Check {{service}}" },
  tools,
};

/** Scripts that only ask for tools, one turn after the other, and end. */
export const toolScripts: fc.Arbitrary<ScenarioFile> = fc
  .tuple(fc.array(asking, { minLength: 1, maxLength: 6 }), line)
  .map(([replies, text]) => ({ ...base, replies: [...replies, { text }] }));

/** Scripts with all that an honest loop gets through: faults, cut and paused replies between the others; they end. */
export const scripts: fc.Arbitrary<ScenarioFile> = fc
  .tuple(fc.array(fc.oneof({ weight: 4, arbitrary: asking }, cutShort, paused, fault), { maxLength: 8 }), end)
  .map(([replies, last]) => ({ ...base, replies: [...replies, last] }));

/** Scripts that the SDK's tool runner gets through: no reply that was cut short, no stream that breaks off. */
export const runnerScripts: fc.Arbitrary<ScenarioFile> = fc
  .tuple(fc.array(fc.oneof({ weight: 4, arbitrary: asking }, paused, atOnce), { maxLength: 6 }), line)
  .map(([replies, text]) => ({ ...base, replies: [...replies, { text }] }));

/** Scripts that never end. */
export const endlessScripts: fc.Arbitrary<ScenarioFile> = fc
  .array(fc.oneof({ weight: 4, arbitrary: asking }, fault), { minLength: 1, maxLength: 4 })
  .chain((replies) =>
    fc.record({
      replies: fc.constant<ScenarioFile["replies"]>([...replies, replies[0]!]),
      from: fc.nat(replies.length),
    }),
  )
  .map(({ replies, from }) => ({ ...base, replies, endless: { from } }));

export const seeds = fc.string({ minLength: 1, maxLength: 8 });
