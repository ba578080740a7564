import { isText } from "../../trace/api.ts";
import { allowsPrefill } from "../models.ts";
import { invalid, type Rejection, type Request, type Rule } from "./rule.ts";

// Who speaks last, and that nobody says nothing. A conversation may open with the assistant.

/** R1: at least one message. */
export const someMessage: Rule = {
  id: "R1",
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

function anyText({ turns }: Request, wrong: (text: string) => boolean, rejection: Rejection): Rejection | null {
  const found = turns.some(({ content }) => {
    return content.some((block) => isText(block) && typeof block.text === "string" && wrong(block.text));
  });
  return found ? rejection : null;
}
