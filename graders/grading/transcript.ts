import type { Behaviour, Entry, Scenario } from "../trace/scenario.ts";
import type { Lang } from "../trace/text.ts";

/**
 * A scenario as a conversation to read: what the user says, then what the model answers each time it is asked.
 * @param results also what each tool gives back
 */
export function transcript(scenario: Scenario, lang: Lang, { results = false } = {}): string {
  const words = WORDS[lang];
  const lines = [`${words.user}: ${scenario.userInput}`];
  for (let index = 0; index < scenario.length; index += 1) {
    const entry = scenario.entry(index);
    lines.push(`${words.reply} ${index + 1}: ${describe(entry, results ? words : null).join("\n   ")}`);
  }
  return lines.join("\n");
}

function describe(entry: Entry, words: (typeof WORDS)[Lang] | null): string[] {
  if (entry.kind === "fault") return [`HTTP ${entry.status} ${entry.error.type}`];
  const blocks = entry.content.map((block) => {
    if (block.type === "tool_use") {
      const asked = `tool_use ${block.name} ${JSON.stringify(block.input)}`;
      return words === null ? asked : `${asked} → ${gives(block.does[0], words)}`;
    }
    if (block.type === "text") return `text ${JSON.stringify(block.text)}`;
    return "thinking …";
  });
  return [...blocks, `stop_reason: ${entry.stopReason}`];
}

/** Characters of a result that are shown. */
const SHOWN = 60;

function gives(does: Behaviour | undefined, words: (typeof WORDS)[Lang]): string {
  if (does === undefined || does.kind === "hangs") return words.hangs;
  const text = does.kind === "throws" ? does.message : (JSON.stringify(does.value) ?? "");
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length})` : text;
  return `${does.kind === "throws" ? words.throws : words.returns} ${shown}`;
}

const WORDS = {
  es: { user: "El usuario dice", reply: "Respuesta", returns: "devuelve", throws: "falla con", hangs: "no contesta" },
  en: { user: "The user says", reply: "Reply", returns: "returns", throws: "fails with", hangs: "never answers" },
} satisfies Record<Lang, unknown>;
