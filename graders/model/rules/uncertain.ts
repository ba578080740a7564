import { isToolResult, isToolUse } from "../../trace/api.ts";
import { isRecord } from "../../trace/json.ts";
import { member, readTurns } from "../history.ts";
import * as conversation from "./conversation.ts";
import * as pairing from "./pairing.ts";
import { invalid, type Rule } from "./rule.ts";
import * as schema from "./schema.ts";
import * as thinking from "./thinking.ts";
import * as tools from "./tools.ts";

/**
 * A refusal that the real API may or may not give: sources disagree, or are old. Never asked unless a run names it, so
 * that a loop's robustness can be tried without any grade hanging on a guess.
 */
export interface UncertainRule extends Rule {
  certain: false;
  /** What to call it where it is switched on. */
  name: string;
  /** What speaks for the refusal, and what against it. */
  source: string;
  /** The rule it is asked just before. */
  before: Rule;
}

/** Every uncertain rule, in the order they are asked. */
export const UNCERTAIN: readonly UncertainRule[] = [
  {
    ...{ id: "R10", name: "system-role", certain: false, before: conversation.rolesKnown },
    source: "The SDK types a system message; other people's code quotes this refusal for some models.",
    check: ({ body: { messages } }) =>
      conversation.strangers(messages).some(({ message }) => member(message, "role") === "system")
        ? invalid("role 'system' is not supported on this model")
        : null,
  },
  {
    ...{ id: "S4", name: "zero-max-tokens", certain: false, before: schema.fieldsRequired },
    source: "The SDK documents 0 for warming a cache; other people's code says a stream refuses it.",
    check: ({ body: { max_tokens, stream } }) => {
      if (max_tokens !== 0) return null;
      return invalid(
        stream === true
          ? "max_tokens: 0 is not allowed with stream: true"
          : "max_tokens: Input should be greater than or equal to 1",
      );
    },
  },
  {
    ...{ id: "S21", name: "odd-call-id", certain: false, before: schema.callHasName },
    source: "Other people's fakes, and openclaw/openclaw#4700; no first-hand report.",
    check: (request) =>
      schema.firstBlock(request, (block, path) =>
        isToolUse(block) && typeof block.id === "string" && !/^[a-zA-Z0-9_-]+$/.test(block.id)
          ? invalid(`${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
          : null,
      ),
  },
  {
    ...{ id: "S24", name: "empty-result", certain: false, before: schema.errorSaysSomething },
    source: "The SDK types `content` as optional, and other people's code says it was accepted live.",
    check: (request) =>
      schema.firstBlock(request, (block, path) => {
        const content = isToolResult(block) ? (block.content ?? "") : null;
        if (content !== "" && !(Array.isArray(content) && content.length === 0)) return null;
        return invalid(`${path}.tool_result: content cannot be empty`);
      }),
  },
  {
    ...{ id: "S14", name: "schema-without-type", certain: false, before: tools.schemaIsSchema },
    source: "By the pattern of the other refusals; nobody quotes this one.",
    check: (request) =>
      tools.firstTool(request, ({ input_schema }, path) => {
        if (!isRecord(input_schema) || input_schema.type === "object") return null;
        const has = Object.hasOwn(input_schema, "type");
        return invalid(`${path}.input_schema.type: ${has ? "Input should be 'object'" : "Field required"}`);
      }),
  },
  {
    ...{ id: "S16", name: "choice-without-tools", certain: false, before: schema.modelExists },
    source: "Other people's code quotes the end of the refusal, not its start.",
    check: ({ body }) => {
      if ((body.tool_choice ?? null) === null || hasTools(body)) return null;
      return invalid("tool_choice: `tool_choice` may only be specified while providing tools");
    },
  },
  {
    ...{ id: "S18", name: "tools-missing", certain: false, before: conversation.someMessage },
    source: "vercel/ai#16991 saw it accepted live in 2026; gateways in front of other clouds refuse it.",
    check: ({ body, turns }) => {
      const uses = turns.some(({ content }) => content.some((block) => isToolUse(block) || isToolResult(block)));
      if (!uses || hasTools(body)) return null;
      return invalid("Requests which include `tool_use` or `tool_result` blocks must define tools");
    },
  },
  {
    ...{ id: "R7", name: "assistant-opens", certain: false, before: conversation.someContent },
    source: "A real text of 2024 (lobehub/lobehub#1601); get-convex/agent#309 saw it accepted in 2026.",
    check: ({ turns }) =>
      turns[0]?.role === "assistant" ? invalid('messages: first message must use the "user" role') : null,
  },
  {
    ...{ id: "P4/across", name: "repeated-call-id", certain: false, before: pairing.uniqueCallIds },
    source: "openclaw/openclaw#4700 for ids that come back in a later turn; one report.",
    check: ({ turns }) => {
      const seen = new Map<string, number>();
      return pairing.firstBlock(turns, "assistant", (block, i, j) => {
        const id = pairing.callId(block);
        if (id === null) return null;
        if (seen.has(id) && seen.get(id) !== i)
          return invalid(`messages.${i}.content.${j}: \`tool_use\` ids must be unique`);
        seen.set(id, i);
        return null;
      });
    },
  },
  {
    ...{ id: "P2/first", name: "stray-result-first", certain: false, before: pairing.everyCallAnswered },
    source: "Of a call without its result and a result without its call, nobody has seen which is told first.",
    check: pairing.everyResultAsked.check,
  },
  {
    ...{ id: "P1/split", name: "split-results", certain: false, before: pairing.everyCallAnswered },
    source: "pydantic/pydantic-ai#653 was refused in 2025; can1357/oh-my-pi#1165 shows messages merged in 2026.",
    check: (request) =>
      pairing.everyCallAnswered.check({ ...request, turns: readTurns(request.body, (role) => role === "assistant") }),
  },
  {
    ...{ id: "P8", name: "search-interrupted", certain: false, before: pairing.everyCallAnswered },
    source: "The documentation, of text beside tool results; of a paused turn that is answered it says only not to.",
    check: ({ turns }) => {
      for (const [i, { role, content }] of turns.entries()) {
        const end = role === "assistant" && i < turns.length - 1 ? content.at(-1) : undefined;
        if (end?.type !== "server_tool_use") continue;
        const [name, id] = [member(end, "name"), member(end, "id")];
        if (typeof name !== "string" || typeof id !== "string") continue;
        return invalid(
          `\`${name}\` tool use with id \`${id}\` was found without a corresponding \`${name}_tool_result\` block`,
        );
      }
      return null;
    },
  },
  {
    ...{ id: "T1/filtered", name: "thinking-filtered", certain: false, before: thinking.thinkingUnchanged },
    source: "The documentation says it is refused; NousResearch/hermes-agent#17890 says leaving all of it out is fine.",
    check: (request) => {
      const latest = thinking.latestTurn(request);
      return latest ? thinking.modified(latest) : null;
    },
  },
];

/** The names of all of them: what `openScenario` takes as `uncertain`. */
export const UNCERTAIN_NAMES: readonly string[] = UNCERTAIN.map(({ name }) => name);

function hasTools({ tools }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(tools) && tools.length > 0;
}
