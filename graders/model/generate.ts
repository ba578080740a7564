import * as fc from "fast-check";
import type { FileCall, FileFault, FileReply, ScenarioFile } from "./scenario-file.ts";

// Generated scenarios, for tests.

const tools: ScenarioFile["tools"] = ["read_log", "restart", "list"].map((name) => ({
  name,
  description: { es: `Usa ${name}`, en: `Use ${name}` },
  input_schema: { type: "object", properties: { service: { type: "string" } } },
}));

const line = fc
  .constantFrom("Un momento {{nonce}}", "{{nonce}}: #abc123 {{service}}")
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
      input: fc.constantFrom<FileCall["input"]>({}, { service: "{{service}}" }, { n: "{{n}}", lap: "{{lap}}" }),
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

const asking: fc.Arbitrary<FileReply> = fc.record(
  { thinking: line, text: line, calls: fc.array(call, { minLength: 1, maxLength: 4 }) },
  { requiredKeys: ["calls"] },
);

const cutShort: fc.Arbitrary<FileReply> = fc.record(
  { text: line, calls: fc.array(call, { minLength: 1, maxLength: 2 }), stopReason: fc.constant("max_tokens" as const) },
  { requiredKeys: ["text", "stopReason"] },
);

const paused: fc.Arbitrary<FileReply> = fc.record({ text: line, stopReason: fc.constant("pause_turn" as const) });

const fault: fc.Arbitrary<FileFault> = fc.record(
  { fault: fc.constantFrom(429 as const, 500 as const, 529 as const), retryAfterMs: fc.integer({ min: 1, max: 30 }) },
  { requiredKeys: ["fault"] },
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
  .tuple(fc.array(fc.oneof({ weight: 4, arbitrary: asking }, cutShort, paused, fault), { maxLength: 8 }), line)
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
