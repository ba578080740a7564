import { isText } from "../../trace/api.ts";
import type { Scenario } from "../../trace/scenario.ts";
import type { Delivered } from "./calls.ts";

/** The marks by which the texts of one reply are known again, wherever they turn up. */
export interface Nonces {
  text: string[];
  thinking: string[];
}

/** Taken from the script; for a reply outside the script, its own texts. */
export function nonces(scenario: Scenario, reply: Delivered): Nonces {
  const entry = reply.entry === null ? null : scenario.entry(reply.entry);
  if (entry?.kind !== "reply") {
    const texts = reply.message.content.filter(isText).map(({ text }) => text);
    return { text: texts.filter((text) => text.length > 0), thinking: [] };
  }
  return {
    text: entry.content.filter((block) => block.type === "text").map(({ nonce }) => nonce),
    thinking: entry.content.filter((block) => block.type === "thinking").map(({ nonce }) => nonce),
  };
}
