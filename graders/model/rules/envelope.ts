import { invalid, type Rule } from "./rule.ts";

// What goes around the conversation: who asks, in which version, in which form, and of which thread.

/** H1: a credential, as `x-api-key` or as `authorization`. Any will do. */
export const someCredential: Rule = {
  id: "H1",
  ofCounts: true,
  check: ({ headers }) => {
    if (!headers || has(headers, "x-api-key") || has(headers, "authorization")) return null;
    return { status: 401, error: { type: "authentication_error", message: "x-api-key header is required" } };
  },
};

/** H2: the version of the API. The SDK always sends it; a `fetch` by hand has to. */
export const someVersion: Rule = {
  id: "H2",
  ofCounts: true,
  check: ({ headers }) => {
    if (!headers || has(headers, "anthropic-version")) return null;
    return invalid("anthropic-version: header is required");
  },
};

/** H3: the body is JSON. The status is certain, the text is ours. */
export const someJson: Rule = {
  id: "H3",
  ofCounts: true,
  check: ({ isJson }) => (isJson ? null : invalid("The request body is not valid JSON.")),
};

/** H4: a thread goes on from a reply that was given. The SDK knows it by its code, and starts a new thread. */
export const someThread: Rule = {
  id: "H4",
  check: ({ lostThread }) => {
    if (!lostThread) return null;
    const message = "thread: no thread continues from this `previous_message_id`";
    return { status: 404, error: { type: "not_found_error", message, details: { error_code: "thread_not_found" } } };
  },
};

function has(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.hasOwn(headers, name) && headers[name]?.trim() !== "";
}
