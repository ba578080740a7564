import { isText, isToolUse } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { askedBy, type Delivered, delivered } from "./calls.ts";
import { nonces } from "./script.ts";

/**
 * Finds in a request a reply whose turn its history holds, and whose words stand there more often in the model's turns than it
 * said them; null when there is none. Its calls are looked at elsewhere: ids must be unique.
 */
export function saidTwice(scenario: Scenario, trace: Trace): (request: RequestEvent) => Delivered | null {
  // Of a reply outside the script only its words are known, and those may well come again.
  const scripted = delivered(trace)
    .filter(({ entry }) => entry !== null)
    .map((reply) => ({ reply, marks: nonces(scenario, reply).text }));
  const marks = [...new Set(scripted.flatMap((each) => each.marks))];
  // A long history holds the same texts in each request: each is searched once.
  const known = new Map<string, string[]>();
  const marksIn = (text: string) => {
    const found = known.get(text) ?? marks.flatMap((mark) => text.split(mark).slice(1).fill(mark));
    known.set(text, found);
    return found;
  };
  return (request) => {
    const turns = request.history.filter(({ role }) => role === "assistant").flatMap(({ content }) => content);
    const held = new Set(turns.filter(isToolUse).map(({ id }) => id));
    const before = scripted.filter(({ reply }) => reply.seq < request.seq);
    const left = tally(turns.filter(isText).flatMap(({ text }) => marksIn(String(text))));
    for (const mark of before.flatMap((each) => each.marks)) left.set(mark, (left.get(mark) ?? 0) - 1);
    const isLeft = (mark: string) => (left.get(mark) ?? 0) > 0;
    const found = before.find((each) => askedBy(each.reply).some(({ id }) => held.has(id)) && each.marks.some(isLeft));
    return found?.reply ?? null;
  };
}

function tally(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
