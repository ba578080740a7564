import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lang } from "../../trace/text.ts";

/** What a diagnosis' page says: Markdown, one language. */
export interface Page {
  /** Its first heading, with the marks of its code left in. */
  title: string;
  text: string;
}

/** Where a diagnosis' page lies. The pages are data of the kit: they are read, not bundled. */
export function pageFile(root: string, id: string, lang: Lang): string {
  return join(root, "graders", "diagnoses", `${id}.${lang}.md`);
}

/**
 * @param root the kit's folder
 * @param id of a diagnosis; not checked here, so never a word that a user typed
 * @returns null when there is no such page
 */
export function readPage(root: string, id: string, lang: Lang): Page | null {
  const file = pageFile(root, id, lang);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8");
  return { title: /^# (.+)$/m.exec(text)?.[1]?.trim() ?? id, text };
}
