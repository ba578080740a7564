import { isText } from "../../trace/api.ts";
import { isRecord } from "../../trace/json.ts";
import { member } from "../history.ts";
import { allowsPrefill } from "../models.ts";
import { invalid, type Rejection, type Request, type Rule } from "./rule.ts";

// Who speaks, who speaks last, and that nobody says nothing. A conversation may open with the assistant.

/**
 * R9: two roles speak. `system` passes: some models take it. Certain is the status; the text is the pattern's.
 */
export const rolesKnown: Rule = {
  id: "R9",
  ofCounts: true,
  check: ({ body: { messages } }) => {
    const at = strangers(messages).find(({ message }) => member(message, "role") !== "system");
    if (!at) return null;
    const path = `messages.${at.index}`;
    if (!isRecord(at.message)) return invalid(`${path}: Input should be a valid dictionary`);
    if (!Object.hasOwn(at.message, "role")) return invalid(`${path}.role: Field required`);
    return invalid(`${path}.role: Input should be 'user' or 'assistant'`);
  },
};

/** What stands in `messages` and is of neither role, with the index it has once the others are merged. */
export function strangers(messages: unknown): { message: unknown; index: number }[] {
  const found: { message: unknown; index: number }[] = [];
  let merged = 0;
  let last: unknown = null;
  for (const message of Array.isArray(messages) ? messages : []) {
    const role = member(message, "role");
    if (role !== "user" && role !== "assistant") found.push({ message, index: merged });
    else if (role !== last) {
      merged++;
      last = role;
    }
  }
  return found;
}

/** R1: at least one message. */
export const someMessage: Rule = {
  id: "R1",
  ofCounts: true,
  check: ({ body }) =>
    Array.isArray(body.messages) && body.messages.length === 0
      ? invalid("messages: at least one message is required")
      : null,
};

/** R2: no empty list as content, save in an assistant message at the end. */
export const someContent: Rule = {
  id: "R2",
  check: ({ turns }) => {
    const i = turns.findIndex(({ role, content }, i) => {
      return content.length === 0 && !(role === "assistant" && i === turns.length - 1);
    });
    if (i === -1) return null;
    return invalid(
      `messages.${i}: all messages must have non-empty content except for the optional final assistant message`,
    );
  },
};

/** R3: no empty text, as a block or as the content itself. */
export const noEmptyText: Rule = {
  id: "R3",
  check: (request) =>
    anyText(request, (text) => text === "", invalid("messages: text content blocks must be non-empty")),
};

/** R4: no text of blanks alone. */
export const noBlankText: Rule = {
  id: "R4",
  check: (request) =>
    anyText(
      request,
      (text) => text !== "" && text.trim() === "",
      invalid("messages: text content blocks must contain non-whitespace text"),
    ),
};

/**
 * R5: the user speaks last. A turn that ends in anything but text or thinking passes: so ends a paused one, whose
 * `server_tool_use` is still at work.
 */
export const userSpeaksLast: Rule = {
  id: "R5",
  check: ({ body, turns }) => {
    const last = turns.at(-1);
    if (last?.role !== "assistant") return null;
    if (typeof body.model === "string" && allowsPrefill(body.model)) return null;
    const end = last.content.at(-1);
    if (end && !["text", "thinking", "redacted_thinking"].includes(end.type)) return null;
    return invalid(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  },
};

/** R6: what the assistant begins to say, where a model allows that, ends in no blank. */
export const prefillEndsInText: Rule = {
  id: "R6",
  check: ({ turns }) => {
    const last = turns.at(-1);
    const end = last?.role === "assistant" ? last.content.at(-1) : undefined;
    if (!end || !isText(end) || typeof end.text !== "string" || end.text.trimEnd() === end.text) return null;
    return invalid("messages: final assistant content cannot end with trailing whitespace");
  },
};

function anyText({ turns }: Request, wrong: (text: string) => boolean, rejection: Rejection): Rejection | null {
  const found = turns.some(({ content }) => {
    return content.some((block) => isText(block) && typeof block.text === "string" && wrong(block.text));
  });
  return found ? rejection : null;
}
