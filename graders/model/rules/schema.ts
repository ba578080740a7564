import { type Block, isToolResult, isToolUse } from "../../trace/api.ts";
import { isRecord } from "../../trace/json.ts";
import { member } from "../history.ts";
import { isKnownModel, modelOf } from "../models.ts";
import { invalid, type Rejection, type Request, type Rule } from "./rule.ts";

// The shape of a request, before what it says.

/** S1: `max_tokens` is required. */
export const maxTokensRequired: Rule = {
  id: "S1",
  check: ({ body }) => (Object.hasOwn(body, "max_tokens") ? null : required("max_tokens")),
};

/** S2: so are the other fields that the API cannot do without, with the same text; and names, ids and signatures are text. */
export const fieldsRequired: Rule = {
  id: "S2",
  ofCounts: true,
  check: (request) => {
    for (const field of ["messages", "model"]) if (!Object.hasOwn(request.body, field)) return required(field);
    if (!Array.isArray(request.body.messages)) return invalid("messages: Input should be a valid list");
    const i = request.turns.findIndex((turn) => turn.lacksContent);
    if (i !== -1) return required(`messages.${i}.content`);
    return firstBlock(request, (block, path) => {
      const texts = TEXTS[block.type] ?? [];
      const missing = [...texts, ...(isToolUse(block) ? ["input"] : [])].find((field) => !Object.hasOwn(block, field));
      if (missing !== undefined) return required(`${path}.${block.type}.${missing}`);
      const wrong = texts.find((field) => typeof member(block, field) !== "string");
      return wrong === undefined ? null : invalid(`${path}.${block.type}.${wrong}: Input should be a valid string`);
    });
  },
};

/** The fields of a block that are text and that it cannot do without. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  // Without a prototype: a block's type may be any text.
  __proto__: null as never,
  tool_use: ["id", "name"],
  tool_result: ["tool_use_id"],
  thinking: ["thinking", "signature"],
};

/** S9: the pieces of a stream are no blocks; they have to be put together first. */
export const blockKindExists: Rule = {
  id: "S9",
  ofCounts: true,
  check: (request) =>
    firstBlock(request, ({ type }, path) =>
      /^(text|input_json|thinking|signature|citations)_delta$/.test(type)
        ? invalid(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`)
        : null,
    ),
};

/** S3: no more tokens than the model can write. */
export const maxTokensWithinModel: Rule = {
  id: "S3",
  check: ({ body: { model, max_tokens } }) => {
    const limit = modelOf(model)?.maxOutput ?? null;
    if (limit === null || typeof max_tokens !== "number" || max_tokens <= limit) return null;
    return invalid(
      `max_tokens: ${max_tokens} > ${limit}, which is the maximum allowed number of output tokens for ${model}`,
    );
  },
};

/** S25: since version 2026-10-21 there are no sampling parameters. The status is certain, the text is ours. */
export const noSampling: Rule = {
  id: "S25",
  check: ({ body, headers }) => {
    if (headers?.["anthropic-version"] !== "2026-10-21") return null;
    const field = ["temperature", "top_p", "top_k"].find((field) => (body[field] ?? null) !== null);
    return field === undefined ? null : invalid(`${field}: not supported with anthropic-version 2026-10-21`);
  },
};

/** S5: the model must exist. 404, not 400. */
export const modelExists: Rule = {
  id: "S5",
  ofCounts: true,
  check: ({ body: { model } }) => {
    if (typeof model !== "string" || isKnownModel(model)) return null;
    return { status: 404, error: { type: "not_found_error", message: `model: ${model}` } };
  },
};

/** S6: no field that the API does not have. */
export const fieldsKnown: Rule = {
  id: "S6",
  check: ({ body }) => {
    const extra = Object.keys(body).find((field) => !FIELDS.has(field));
    return extra === undefined ? null : forbidden(extra);
  },
};

/** S8: a message is `role` and `content`. A whole response pushed as one brings its `id`, `usage`, … along. */
export const messageFieldsKnown: Rule = {
  id: "S8",
  check: ({ turns }) => {
    const i = turns.findIndex((turn) => turn.extraKeys.length > 0);
    return i === -1 ? null : forbidden(`messages.${i}.${turns[i]!.extraKeys[0]}`);
  },
};

/** S19: the input of a tool_use is an object, not JSON text. */
export const inputIsObject: Rule = {
  id: "S19",
  check: (request) =>
    firstBlock(request, (block, path) => {
      if (!isToolUse(block) || isRecord(block.input)) return null;
      return invalid(`${path}.tool_use.input: Input should be a valid dictionary`);
    }),
};

/** S20: a tool_use names a tool. */
export const callHasName: Rule = {
  id: "S20",
  check: (request) =>
    firstBlock(request, (block, path) =>
      isToolUse(block) && block.name === ""
        ? invalid(`${path}.tool_use.name: String should have at least 1 character`)
        : null,
    ),
};

/** S22: a result is text or a list of blocks; any other value must be turned into text first. */
export const resultIsText: Rule = {
  id: "S22",
  check: (request) =>
    firstBlock(request, (block, path) => {
      if (!isToolResult(block)) return null;
      const content = block.content ?? "";
      if (typeof content === "string") return null;
      if (Array.isArray(content) && content.every((part) => typeof member(part, "type") === "string")) return null;
      return invalid(`${path}.tool_result.content: Input should be a valid string`);
    }),
};

/** S23: an error result says something. One that is no error may be empty. */
export const errorSaysSomething: Rule = {
  id: "S23",
  check: (request) =>
    firstBlock(request, (block, path) => {
      if (!isToolResult(block) || block.is_error !== true) return null;
      const content = block.content ?? "";
      if (content !== "" && !(Array.isArray(content) && content.length === 0)) return null;
      return invalid(`${path}.tool_result: content cannot be empty if \`is_error\` is true`);
    }),
};

/** All that the SDK's parameter types declare, beta ones too, and the sampling parameters, which depend on the version. */
const FIELDS: ReadonlySet<string> = new Set([
  "betas",
  "billing_policy",
  "cache_control",
  "compaction",
  "container",
  "context_management",
  "diagnostics",
  "fallback_credit_token",
  "fallbacks",
  "inference_geo",
  "max_tokens",
  "mcp_servers",
  "messages",
  "metadata",
  "model",
  "output_config",
  "output_format",
  "service_tier",
  "speed",
  "stop_sequences",
  "stream",
  "system",
  "temperature",
  "thinking",
  "thread",
  "tool_choice",
  "tools",
  "top_k",
  "top_p",
  "user_profile_id",
  "workspace_id",
]);

function required(path: string): Rejection {
  return invalid(`${path}: Field required`);
}

function forbidden(path: string): Rejection {
  return invalid(`${path}: Extra inputs are not permitted`);
}

/** The first rejection that `check` gives for a block, whoever sent it. */
export function firstBlock(
  { turns }: Request,
  check: (block: Block, path: string) => Rejection | null,
): Rejection | null {
  for (const [i, turn] of turns.entries()) {
    for (const [j, block] of turn.content.entries()) {
      const rejection = check(block, `messages.${i}.content.${j}`);
      if (rejection) return rejection;
    }
  }
  return null;
}
