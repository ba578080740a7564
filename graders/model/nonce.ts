import { createRandom } from "./seed.ts";

/** How a nonce looks: `#k3f9x2`. */
const NONCE = /#[0-9a-z]{6}/g;

/** 30 bits: the most that six characters of base 36 can hold. */
const BITS = 2 ** 30 - 1;

/**
 * Where the ordinals of each kind of place begin. A nonce is drawn by ordinal, so two places never share one.
 */
export const PLACES = {
  /** Texts and results of the script. */
  script: 0,
  /** Answers outside the script, by the number of the reply. */
  outside: 2 ** 28,
  /** Errors of tool calls nobody asked for, by the number of tool calls before them. */
  surprise: 2 ** 29,
} as const;

/**
 * Gives the nonce of each ordinal (0 to 2^30 - 1). A seeded permutation, not a hash: within one seed two ordinals can
 * never have the same nonce.
 */
export function createNonces(seed: string): (ordinal: number) => string {
  const random = createRandom(`${seed}/nonces`);
  const first = random.int(0, BITS);
  const second = random.int(0, BITS);
  // Odd factors can be undone modulo a power of two, and so can each xor with a shift of itself.
  const factors = [random.int(0, BITS >>> 1) * 2 + 1, random.int(0, BITS >>> 1) * 2 + 1] as const;
  return (ordinal) => {
    let x = (ordinal & BITS) ^ first;
    x = Math.imul(x, factors[0]) & BITS;
    x ^= x >>> 13;
    x = Math.imul(x, factors[1]) & BITS;
    x ^= x >>> 15;
    return `#${(x ^ second).toString(36).padStart(6, "0")}`;
  };
}

/** All that looks like a nonce in a text, in order. */
export function noncesIn(text: string): string[] {
  return text.match(NONCE) ?? [];
}
