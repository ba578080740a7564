/** Small helpers for texts that name what a student wrote. */

/** Longest name or specifier that a text quotes. */
const QUOTED = 40;

/** C0, C1, zero-width and bidirectional controls: nothing that could steer a terminal or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces every control character by one space, so that columns stay. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, " ");
}

/** A student's own name or specifier, quoted for a sentence: no control characters, no backticks, not too long. */
export function quoted(text: string): string {
  const clean = withoutControls(text.slice(0, 400)).replaceAll("`", "'");
  return `\`${clean.length > QUOTED ? `${clean.slice(0, QUOTED - 1)}…` : clean}\``;
}

/**
 * The candidate that was probably meant.
 * @returns the closest one by edit distance, or null when none is close
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const allowed = Math.max(1, Math.floor(Math.min(word.length, 60) / 3));
  let best: string | null = null;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
