import { isText } from "../../trace/api.ts";
import { isRecord } from "../../trace/json.ts";

/** By what the texts of a conversation are known again. */
export interface Wanted {
  /** The tokens of the answer's blocks of text, in their order. */
  texts: readonly string[];
  /** Those of all that the model thought, in any turn: whoever returns the whole history returns all of it. */
  thoughts: readonly string[];
}

/**
 * What keeps a returned value from being the answer's text alone, in whatever shape: nothing of it is there (`none`), it is
 * there only inside a Message or its blocks (`message`), not all of it or not in its order (`part`), or with thinking in it
 * (`thinking`).
 * @returns null where it is the text alone
 */
export function lackOfTextAlone(
  value: unknown,
  { texts, thoughts }: Wanted,
): "none" | "message" | "part" | "thinking" | null {
  const some = [...ownTexts(value), allOwnText(value)].filter((own) => texts.some((token) => own.includes(token)));
  if (some.length === 0) {
    const json = JSON.stringify(value) ?? "";
    return texts.some((token) => json.includes(token)) ? "message" : "none";
  }
  const found = some.filter((own) => holdsInOrder(own, texts));
  if (found.length === 0) return "part";
  return found.some((own) => thoughts.every((token) => !own.includes(token))) ? null : "thinking";
}

/** Whether a text holds all the tokens, each after the one before it. */
export function holdsInOrder(text: string, tokens: readonly string[]): boolean {
  let from = 0;
  return tokens.every((token) => {
    const at = text.indexOf(token, from);
    from = at + token.length;
    return at !== -1;
  });
}

/** Every text a value holds, at any depth, except inside what the API itself sends: messages and their blocks. */
function ownTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) {
    const texts = value.flatMap(ownTexts);
    // Pieces of one text that were handed out one by one.
    return value.every((item) => typeof item === "string") ? [...texts, texts.join("")] : texts;
  }
  if (!isRecord(value) || isFromTheApi(value)) return [];
  return Object.values(value).flatMap(ownTexts);
}

/** All of them in one text, in their order, each once. */
function allOwnText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(allOwnText).join("");
  if (!isRecord(value) || isFromTheApi(value)) return "";
  return Object.values(value).map(allOwnText).join("\n");
}

function isFromTheApi(value: Record<string, unknown>): boolean {
  const isMessage = typeof value.role === "string" && "content" in value;
  const isBlock =
    typeof value.type === "string" &&
    (isText(value as { type: string }) || "thinking" in value || "tool_use_id" in value || "input" in value);
  return isMessage || isBlock;
}
