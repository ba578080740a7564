import * as conversation from "./conversation.ts";
import * as pairing from "./pairing.ts";
import { type Rejection, type Rule, readRequest } from "./rule.ts";
import * as schema from "./schema.ts";

/** Every rule, in the order they are asked: shape, model, roles, pairing, and who speaks last. */
export const RULES: readonly Rule[] = [
  schema.maxTokensRequired,
  schema.fieldsRequired,
  schema.fieldsKnown,
  schema.messageFieldsKnown,
  schema.inputIsObject,
  schema.resultIsText,
  schema.errorSaysSomething,
  schema.modelExists,
  conversation.someMessage,
  conversation.someContent,
  conversation.noEmptyText,
  conversation.noBlankText,
  pairing.callsFromAssistant,
  pairing.resultsFromUser,
  pairing.uniqueCallIds,
  pairing.everyCallAnswered,
  pairing.everyResultAsked,
  pairing.oneResultPerCall,
  conversation.userSpeaksLast,
];

/**
 * What the API refuses a request for; the first reason only, as the API does. Null for a legal request.
 * Takes anything that JSON can hold and never throws.
 */
export function reject(body: unknown): Rejection | null {
  const request = readRequest(body);
  for (const rule of RULES) {
    const rejection = rule.check(request);
    if (rejection) return rejection;
  }
  return null;
}
