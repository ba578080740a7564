import { approval, script, twoAtOnce } from "../testing/scripts.ts";
import allowedCallRefused from "./allowed-call-refused.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const restart = (service: string, more: object = {}) => ({
  tool: "restart_service",
  input: { service },
  does: { returns: "restarted {{nonce}}" },
  ...more,
});
/** One to refuse, then one that is allowed. */
const gated = script([
  { calls: [restart("db", { refuse: true })] },
  { calls: [restart("api")] },
  { text: "Done. {{nonce}}" },
]);

const refusing = (refuses: (input: unknown) => boolean, more: object = { is_error: true }) =>
  loop({
    result: async ({ id, name, input }, execute) =>
      refuses(input)
        ? { type: "tool_result", tool_use_id: id, content: "Not allowed.", ...more }
        : { type: "tool_result", tool_use_id: id, content: await execute(name, input) },
  });
const isFor = (service: string) => (input: unknown) => (input as { service?: string }).service === service;
const all = () => true;

lists(allowedCallRefused, {
  has: [
    {
      name: "everything is refused",
      agent: refusing(all),
      script: gated,
      ends: "returned",
      says: ["`restart_service`", '{"service":"api"}', "«Not allowed.»"],
      found: ["allowed-call-refused"],
    },
    {
      name: "in the source: the result that says no",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const { content, stop_reason } = await callModel({ messages, tools });
          if (stop_reason !== "tool_use") return { content, stop_reason };
          messages.push({ role: "assistant", content });
          const results: unknown[] = [];
          for (const block of content) {
            if (block.type !== "tool_use") continue;
            if (block.name === "read_logs") await executeTool(block.name, block.input);
            results.push({ type: "tool_result", tool_use_id: block.id, is_error: true, content: "Not allowed." });
          }
          messages.push({ role: "user", content: results });
        }
      },
      script: gated,
      line: 26,
    },
    {
      name: "the rule is the wrong way round",
      agent: refusing(isFor("api")),
      script: gated,
      headline: "unapproved-call-run",
    },
  ],
  hasNot: [
    ...honestly(),
    { name: "only what must be refused", agent: refusing(isFor("db")), script: gated, headline: null },
    { name: "a call that must be refused", agent: refusing(all), script: script(approval), headline: null },
    { name: "a host with rules of its own", agent: refusing(all), script: script(twoAtOnce), headline: null },
    {
      name: "an answer made up, not refused",
      agent: refusing(isFor("api"), {}),
      script: gated,
      headline: "unapproved-call-run",
    },
    {
      name: "run, and reported as an error",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          const refused = isFor("db")(input);
          const content = refused ? "No." : await execute(name, input);
          return { type: "tool_result", tool_use_id: id, content, is_error: true };
        },
      }),
      script: gated,
      headline: "result-flagged-as-error",
    },
    {
      name: "an error result that the API does not take",
      agent: refusing(all, { is_error: true, content: "" }),
      script: gated,
      headline: "empty-error-result",
    },
  ],
});
