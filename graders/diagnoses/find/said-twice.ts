import { isText, isToolUse } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { askedBy, type Delivered, delivered } from "./calls.ts";
import { nonces } from "./script.ts";

/**
 * A reply whose turn a request's history holds, and whose words stand there more often in the model's turns than it said them;
 * null when there is none. Its calls are looked at elsewhere: ids must be unique.
 */
export function saidTwice(scenario: Scenario, trace: Trace, request: RequestEvent): Delivered | null {
  const turns = request.history.filter(({ role }) => role === "assistant").flatMap(({ content }) => content);
  const held = new Set(turns.filter(isToolUse).map(({ id }) => id));
  const texts = turns.filter(isText).map(({ text }) => String(text));
  const before = delivered(trace).filter(({ seq }) => seq < request.seq);
  // Of a reply outside the script only its words are known, and those may well come again.
  const scripted = before.filter(({ entry }) => entry !== null);
  const marksOf = (reply: Delivered) => nonces(scenario, reply).text;
  const times = (mark: string) => texts.reduce((sum, text) => sum + text.split(mark).length - 1, 0);
  return (
    scripted
      .filter((reply) => askedBy(reply).some(({ id }) => held.has(id)))
      .find((reply) =>
        marksOf(reply).some((mark) => times(mark) > scripted.filter((other) => marksOf(other).includes(mark)).length),
      ) ?? null
  );
}
