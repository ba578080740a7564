import type { Text } from "../trace/text.ts";
import type { Kit } from "./kit.ts";

/** A command of the CLI: a file in `verbs/`, named by it, with this as its default export. */
export interface Verb {
  name: string;
  /** Place in the help. */
  order: number;
  summary: Text;
  argument?: { syntax: string; text: Text };
  /** `value`: what the option takes, by its name in the help. `repeat`: it may be given many times, and is a list. */
  options?: readonly { flags: string; value?: Text; repeat?: true; text: Text }[];
  /**
   * @param words the arguments
   * @param options as commander reads them; `--no-color` is `color: false`
   * @returns the exit code
   */
  run(kit: Kit, words: readonly string[], options: Readonly<Record<string, unknown>>): Promise<number>;
}
