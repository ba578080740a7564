import type { Text } from "../trace/text.ts";
import type { Kit } from "./kit.ts";

/** A command of the CLI: a file in `verbs/`, named by it, with this as its default export. */
export interface Verb {
  name: string;
  /** Place in the help. */
  order: number;
  summary: Text;
  argument?: { syntax: string; text: Text };
  /** Those that other verbs have, too, stand in `options.ts`. */
  options?: readonly VerbOption[];
  /**
   * @param words the arguments
   * @param options as commander reads them; `--no-color` is `color: false`
   * @returns the exit code
   */
  run(kit: Kit, words: readonly string[], options: Readonly<Record<string, unknown>>): Promise<number>;
}

export interface VerbOption {
  flags: string;
  /** What it takes, by its name in the help. */
  value?: Text;
  /** It may be given many times, and is a list. */
  repeat?: true;
  text: Text;
}
