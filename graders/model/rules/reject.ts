import * as conversation from "./conversation.ts";
import * as envelope from "./envelope.ts";
import * as pairing from "./pairing.ts";
import { type Context, type Rejection, type Rule, readRequest } from "./rule.ts";
import * as schema from "./schema.ts";
import * as thinking from "./thinking.ts";
import * as tools from "./tools.ts";
import { UNCERTAIN } from "./uncertain.ts";

/** Every rule, in the order they are asked: who asks, shape, model, roles, pairing, who speaks last, and thinking. */
export const RULES: readonly Rule[] = [
  envelope.someCredential,
  envelope.someVersion,
  envelope.someJson,
  envelope.someThread,
  schema.maxTokensRequired,
  schema.fieldsRequired,
  schema.fieldsKnown,
  conversation.rolesKnown,
  schema.messageFieldsKnown,
  schema.blockKindExists,
  schema.inputIsObject,
  schema.callHasName,
  schema.resultIsText,
  schema.errorSaysSomething,
  tools.toolsAreList,
  tools.toolKindExists,
  tools.toolIsComplete,
  tools.toolNameFits,
  tools.schemaIsSchema,
  tools.schemaIsNoChoice,
  tools.toolNamesUnique,
  schema.noSampling,
  schema.modelExists,
  schema.maxTokensWithinModel,
  tools.toolNotForced,
  thinking.noManualThinking,
  thinking.thinkingStaysOn,
  thinking.budgetBelowMaxTokens,
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
  conversation.prefillEndsInText,
  thinking.thinkingNotLast,
  thinking.thinkingOpensTurn,
  thinking.thinkingUnchanged,
  thinking.signatureFits,
];

/** Those that also hold for a conversation that is only to be counted. */
const OF_COUNTS: readonly Rule[] = RULES.filter((rule) => rule.ofCounts);

/**
 * What the API refuses a request for; the first reason only, as the API does. Null for a legal request.
 * Takes anything that JSON can hold, and undefined for what is no JSON, and never throws.
 * @param context what is known beside the body; what is left out is not judged
 */
export function reject(body: unknown, context: Context = {}): Rejection | null {
  return first(rulesWith(context.uncertain ?? []), body, context);
}

/** `reject` for a conversation that is to be counted, not answered: less is asked of it. */
export function rejectCount(body: unknown, context: Context = {}): Rejection | null {
  return first(OF_COUNTS, body, context);
}

function rulesWith(uncertain: readonly string[]): readonly Rule[] {
  if (uncertain.length === 0) return RULES;
  const asked = UNCERTAIN.filter(({ name }) => uncertain.includes(name));
  return RULES.flatMap((rule) => [...asked.filter(({ before }) => before === rule), rule]);
}

function first(rules: readonly Rule[], body: unknown, context: Context): Rejection | null {
  const request = readRequest(body, context);
  for (const rule of rules) {
    const rejection = rule.check(request);
    if (rejection) return rejection;
  }
  return null;
}
