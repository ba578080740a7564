import { createRandom } from "./seed.ts";

/**
 * The signature of a thought. The same thought has the same one wherever it was delivered: a signature is good in any
 * conversation, and for no other text.
 */
export function sign(thinking: string): string {
  return `Er${createRandom(`signature/${thinking}`).token(118)}==`;
}
