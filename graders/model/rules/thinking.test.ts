import * as fc from "fast-check";
import { expect, test } from "vitest";
import { scripts, seeds } from "../generate.ts";
import { bodyOf, playHonestly, promptOf, rehearse, resultsOf } from "../rehearsal.ts";
import { openScenario } from "../scenario.ts";
import { parseScenario } from "../scenario-file.ts";
import { sign } from "../signature.ts";
import { reject } from "./reject.ts";
import { type Rule, readRequest } from "./rule.ts";
import * as rules from "./thinking.ts";

const scenario = openScenario(
  parseScenario(
    {
      title: "t",
      userInput: "go",
      tools: [{ name: "look", description: "looks", input_schema: { type: "object" } }],
      replies: [
        { thinking: "one {{nonce}}", calls: [{ tool: "look", input: { n: 1 }, does: { returns: "{{nonce}}" } }] },
        {
          thinking: "two {{nonce}}",
          redacted: "EqUD",
          text: "so {{nonce}}",
          calls: [{ tool: "look", input: { n: 2 }, does: { returns: "{{nonce}}" } }],
        },
        { text: "{{nonce}}" },
      ],
    },
    "t.json",
  ),
  { name: "t", seed: "s", lang: "en" },
);

type Loose = Record<string, unknown>;

/** What the API says once the last of two turns is sent back as `change` leaves it, and the one before as `first` does. */
function after(change: (content: Loose[]) => Loose[], more: object = {}, first = (content: Loose[]) => content) {
  const rehearsal = rehearse(scenario);
  const messages: { role: string; content: unknown }[] = [promptOf(scenario)];
  for (let turn = 0; turn < 2; turn++) {
    const { message } = rehearsal.send(bodyOf(scenario, messages));
    messages.push({ role: "assistant", content: message!.content });
    messages.push({ role: "user", content: resultsOf(rehearsal, scenario, message!) });
  }
  const changed = [[1, first] as const, [3, change] as const].reduce((all, [i, how]) => {
    const { role, content } = all[i]!;
    return all.with(i, { role, content: how(content as Loose[]) });
  }, messages);
  return rehearsal.send({ ...bodyOf(scenario, changed), ...more });
}

const said = (answer: ReturnType<typeof after>) => answer.error?.message ?? null;
const thoughts = (block: Loose) => block.type === "thinking" || block.type === "redacted_thinking";
const manual = { model: "claude-sonnet-4-6", thinking: { type: "enabled", budget_tokens: 1000 } };
const MODIFIED =
  /^messages\.3\.content\.\d+: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified\. /;

test("thinking that goes back as it came is accepted", () => {
  expect(said(after((content) => content))).toBeNull();
  expect(said(after((content) => content, manual))).toBeNull();
  // Copied, with its fields in another order.
  expect(
    said(after((content) => content.map((block) => Object.fromEntries(Object.entries(block).reverse())))),
  ).toBeNull();
});

test("thinking of older turns may be left out, and so may all of the latest", () => {
  const without = (content: Loose[]) => content.filter((block) => !thoughts(block));
  expect(said(after((content) => content, {}, without))).toBeNull();
  expect(said(after(without))).toBeNull();
  expect(said(after(without, {}, without))).toBeNull();
});

test("an honest loop is never refused, with thinking of any kind", () => {
  fc.assert(
    fc.property(scripts, seeds, fc.constantFrom(manual, { thinking: { type: "adaptive" } }, {}), (file, seed, more) => {
      const generated = openScenario(file, { name: "t", seed, lang: "es" });
      const rehearsal = rehearse(generated);
      playHonestly({ ...rehearsal, send: (body) => rehearsal.send({ ...(body as object), ...more }) }, generated);
      expect(rehearsal.trace.filter((event) => event.type === "reply" && event.kind === "rejection")).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test.each<[what: string, change: (content: Loose[]) => Loose[]]>([
  ["edited", (content) => content.map((block) => (block.type === "thinking" ? { ...block, thinking: "…" } : block))],
  [
    "signed anew",
    (content) => content.map((block) => (block.type === "thinking" ? { ...block, signature: "x" } : block)),
  ],
  [
    "decrypted",
    (content) => content.map((block) => (block.type === "redacted_thinking" ? { ...block, data: "x" } : block)),
  ],
  ["in another order", ([a, b, ...rest]) => [b!, a!, ...rest]],
  ["dropped in part", (content) => content.filter((block) => block.type !== "redacted_thinking")],
])("T1: thinking of the latest turn %s", (_what, change) => {
  const answer = after(change);
  expect(answer).toMatchObject({ status: 400, kind: "rejection", error: { type: "invalid_request_error" } });
  expect(said(answer)).toMatch(MODIFIED);
});

test("T2: with a budget of its own, a turn that has lost the thinking it opened with", () => {
  const without = (content: Loose[]) => content.filter((block) => !thoughts(block));
  expect(said(after(without, manual))).toMatch(
    /^messages\.3\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `text`\. When `thinking`/,
  );
  expect(said(after((content) => content, manual, without))).toBeNull();
});

test("T3: thinking that was never delivered here, in an older turn too", () => {
  const forged = (content: Loose[]) => content.map((block) => (thoughts(block) ? { ...block, thinking: "…" } : block));
  expect(said(after((content) => content, {}, forged))).toBe(
    "messages.1.content.0: Invalid `signature` in `thinking` block",
  );
});

test("T4: a message that ends with thinking", () => {
  const last = (content: Loose[]) => [
    ...content.filter((block) => !thoughts(block)),
    ...content.filter(thoughts).toReversed(),
  ];
  expect(said(after((content) => content, {}, last))).toBe(
    "messages.1: The final block in an assistant message cannot be `thinking`.",
  );
});

const plain = { model: "claude-sonnet-5-5", max_tokens: 2000, messages: [{ role: "user", content: "go" }] };

function refusal(rule: Rule, more: object): string | undefined {
  const own = rule.check(readRequest({ ...plain, ...more }));
  expect(reject({ ...plain, ...more })).toEqual(own);
  expect(own?.status).toBe(400);
  return own?.error.message;
}

test("T5: a budget where the model decides for itself", () => {
  const thinking = { type: "enabled", budget_tokens: 1024 };
  expect(refusal(rules.noManualThinking, { thinking })).toBe(
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  );
  expect(reject({ ...plain, thinking, model: "claude-haiku-4-5" })).toBeNull();
});

test("T6: no thinking where there always is some", () => {
  const thinking = { type: "disabled" };
  for (const model of ["claude-opus-5-5", "claude-fable-5-1", "claude-mythos-5"]) {
    expect(refusal(rules.thinkingStaysOn, { thinking, model })).toContain('"thinking.type.disabled" is not supported');
  }
  expect(reject({ ...plain, thinking })).toBeNull();
});

test("T7: a budget that leaves no room for an answer", () => {
  const more = { model: "claude-sonnet-4-6", thinking: { type: "enabled", budget_tokens: 2000 } };
  expect(refusal(rules.budgetBelowMaxTokens, more)).toBe("`max_tokens` must be greater than `thinking.budget_tokens`");
  expect(reject({ ...plain, ...more, max_tokens: 2001 })).toBeNull();
});

test("a signature is good for its thinking, in whatever conversation that was delivered, and for no other", () => {
  const sent = (thinking: string, signature: string) => {
    const content = [
      { type: "thinking", thinking, signature },
      { type: "text", text: "so" },
    ];
    const messages = [...plain.messages, { role: "assistant", content }, ...plain.messages];
    return reject({ ...plain, messages }, { delivered: [] })?.error.message ?? null;
  };
  expect(sent("hm", sign("hm"))).toBeNull();
  for (const signature of ["s", "", sign("ah")]) expect(sent("hm", signature)).toContain("Invalid `signature`");
});
