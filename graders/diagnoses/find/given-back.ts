import { isText } from "../../trace/api.ts";
import type { Run } from "../../trace/run.ts";
import { isBareText, mentions, settled, stringsIn } from "./answer.ts";
import { type Delivered, delivered, isEnd } from "./calls.ts";
import { exchanges } from "./requests.ts";
import { nonces } from "./script.ts";

/** Words by which a text says that it is not the final answer, in the languages of the course. Looked for outside the model's own words. */
const SAYS_WHY =
  /max_?tokens|trunc|incomplet|unfinished|inacab|partial|parcial|\bcut\b|cort(ad|ó|e\b)|limit|límite|tope|refus|declin|neg(ó|ad|ativ)|rechaz|denied|paus|context|stop|detuv|interr|broke|gave up|unable|could ?n[o']t|cannot|no (se )?pud|error/i;

/**
 * The reply whose text `runAgent` gave back as if it were the final answer: the latest one with words in the value.
 * Null where the conversation came to its proper end, where what was returned is more than bare text, and where the text
 * itself says in words of the loop's own that it is no answer.
 */
export function givenBack(run: Run): Delivered | null {
  const text = bareText(run);
  if (text === null) return null;
  const replies = delivered(run.trace);
  if (replies.some(isEnd)) return null;
  return replies.findLast((reply) => mentions(text, nonces(run.scenario, reply).text)) ?? null;
}

/** The bare text that `runAgent` returned; null where it returned anything that cannot be taken for the final answer. */
export function bareText(run: Run): string | null {
  const end = settled(run.trace);
  if (run.outcome !== "returned" || end === null || !isBareText(end.value)) return null;
  const text = stringsIn(end.value).join("\n");
  return SAYS_WHY.test(withoutReplies(run, text)) ? null : text;
}

/** What is left of a text without what the model said, whole replies and begun ones. */
function withoutReplies(run: Run, text: string): string {
  const messages = exchanges(run.trace).flatMap(({ reply }) => reply?.message ?? reply?.broke?.begun ?? []);
  const said = messages.flatMap(({ content }) => content.filter(isText).map((block) => block.text.trim()));
  return said.filter((words) => words !== "").reduce((rest, words) => rest.replaceAll(words, ""), text);
}
