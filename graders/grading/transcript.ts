import type { Entry, Scenario } from "../trace/scenario.ts";
import type { Lang } from "../trace/text.ts";

/** A scenario as a conversation to read: what the user says, then what the model answers each time it is asked. */
export function transcript(scenario: Scenario, lang: Lang): string {
  const words = WORDS[lang];
  const lines = [`${words.user}: ${scenario.userInput}`];
  for (let index = 0; index < scenario.length; index += 1) {
    const entry = scenario.entry(index);
    lines.push(`${words.reply} ${index + 1}: ${describe(entry).join("\n   ")}`);
  }
  return lines.join("\n");
}

function describe(entry: Entry): string[] {
  if (entry.kind === "fault") return [`HTTP ${entry.status} ${entry.error.type}`];
  const blocks = entry.content.map((block) => {
    if (block.type === "tool_use") return `tool_use ${block.name} ${JSON.stringify(block.input)}`;
    if (block.type === "text") return `text ${JSON.stringify(block.text)}`;
    return "thinking …";
  });
  return [...blocks, `stop_reason: ${entry.stopReason}`];
}

const WORDS = {
  es: { user: "El usuario dice", reply: "Respuesta" },
  en: { user: "The user says", reply: "Reply" },
} satisfies Record<Lang, unknown>;
