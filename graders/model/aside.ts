/**
 * Requests beside the conversation, as a router, a guardrail, a verifier or a title makes them: no turn of the script. They
 * are answered in a few words that mean nothing.
 */
import type { HistoryMessage } from "../trace/api.ts";
import type { ReplyEvent, Trace } from "../trace/events.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Text } from "../trace/text.ts";
import { effectiveHistory, effectiveTools, member } from "./history.ts";
import { type Answer, latestContained, refusalOf, type Sent } from "./model.ts";
import { noncesIn } from "./nonce.ts";
import { writeMessage } from "./reply.ts";
import { runSeed } from "./scenario.ts";
import { createRandom } from "./seed.ts";
import { streamOf } from "./stream.ts";
import { rebuildThread } from "./threads.ts";

/** What they are answered. Words that neither allow nor refuse, and that no reader takes for an error. */
export const ASIDE_WORDS: Text = { es: "De acuerdo.", en: "All right." };

/**
 * The answer to a request that is no part of the conversation; null for one that is, and for one that is refused.
 * Pure, and takes any body.
 * @param trace the run so far, without this request
 */
export function answerAside(scenario: Scenario, trace: Trace, sent: Sent): Answer | null {
  const whole = rebuildThread(trace, sent.body);
  const history = effectiveHistory(whole);
  if (!isAside(scenario, trace, whole, history) || refusalOf(scenario, trace, sent) !== null) return null;
  const earlier = trace.filter(({ type }) => type === "aside").length;
  const random = createRandom(`${runSeed(scenario)}/aside/${earlier}`);
  const text = wordsFor(scenario, history);
  const entry = { kind: "reply", content: [{ type: "text", text, nonce: "" }], stopReason: "end_turn" } as const;
  const message = writeMessage(entry, scenario, whole, random, null);
  const streamed = member(whole, "stream") === true;
  return {
    status: 200,
    kind: "message",
    message,
    error: null,
    streamed,
    broke: null,
    entry: null,
    next: 0,
    complete: true,
    final: false,
    headers: { "request-id": `req_011C${random.token(20)}` },
    events: streamed ? streamOf(message, scenario.tools, random) : null,
  };
}

/**
 * Whether a request is no part of the conversation: it offers no tool though the loop is one that does, and it either holds
 * none of the script's replies as a turn of the assistant's, or comes when the script is through.
 */
function isAside(scenario: Scenario, trace: Trace, whole: unknown, history: readonly HistoryMessage[]): boolean {
  if (scenario.asides !== true || effectiveTools(whole).length > 0) return false;
  const past = trace.filter((event): event is ReplyEvent => event.type === "reply");
  const isThrough = past.some(({ final, complete }) => final && complete);
  const said = history.filter(({ role }) => role === "assistant");
  return isThrough || latestContained(scenario, past, said) === null;
}

/** With every mark of what it was given, as a summary keeps every fact: so what is made of these words can be followed. */
function wordsFor({ lang }: Scenario, history: readonly HistoryMessage[]): string {
  const texts = history.flatMap(({ content }) => content.map((block) => member(block, "text")));
  const marks = new Set(texts.flatMap((text) => (typeof text === "string" ? noncesIn(text) : [])));
  const words = ASIDE_WORDS[lang];
  return marks.size === 0 ? words : `${words} (${[...marks].join(" ")})`;
}
