/** Numbers and tokens that a seed decides: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number;
  /** One of the list, each equally likely. Throws a RangeError when the list is empty. */
  pick<T>(list: readonly T[]): T;
  /** `length` characters of 0-9, A-Z and a-z. */
  token(length: number): string;
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * A seeded generator: "small fast counter" (sfc32), its four words of state hashed from the seed.
 * For variety, not for secrets. Give every use its own seed (`<seed>/<what for>`), so that one more draw
 * somewhere never moves the draws elsewhere.
 */
export function createRandom(seed: string): Random {
  let [a, b, c, counter] = hash(seed);

  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first words still resemble the state they come from.
  for (let i = 0; i < 12; i++) word();

  const next = () => word() / 2 ** 32;
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick: (list) => {
      if (list.length === 0) throw new RangeError("pick: the list is empty");
      return list[int(0, list.length - 1)]!;
    },
    token: (length) => {
      let token = "";
      while (token.length < length) token += ALPHABET[int(0, ALPHABET.length - 1)];
      return token;
    },
  };
}

/** Four 32-bit words of a text: four multiplicative hashes with constants of their own, stirred into each other at the end. */
function hash(text: string): [number, number, number, number] {
  const words: [number, number, number, number] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667];
  const primes = [0x01000193, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    for (let w = 0; w < 4; w++) {
      const mixed = Math.imul(words[w]! ^ unit, primes[w]!);
      words[w] = mixed ^ (mixed >>> 15);
    }
  }
  for (let w = 0; w < 8; w++) {
    const mixed = Math.imul(words[w % 4]! ^ words[(w + 3) % 4]! ^ text.length, 0x85ebca6b);
    words[w % 4] = mixed ^ (mixed >>> 13);
  }
  return words;
}
