/** Names farther than this from what was typed are no suggestion. 0: the same; 1: nothing in common. */
const FARTHEST = 0.45;

/** The names that somebody who typed `word` may have meant, likeliest first; none when nothing is like it. */
export function nearest(word: string, names: readonly string[], most = 3): string[] {
  const typed = word.toLowerCase();
  return names
    .map((name) => ({ name, far: distance(typed, name) }))
    .filter(({ far }) => far <= FARTHEST)
    .sort((a, b) => a.far - b.far || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Typing slips, as a share of the longer name; less for the words two names have in common, in whatever order. */
function distance(typed: string, name: string): number {
  const slips = edits(typed, name) / Math.max(typed.length, name.length, 1);
  const words = typed.split(/[^a-z0-9]+/).filter((part) => part.length > 2);
  const shared = words.filter((part) => name.includes(part));
  const letters = (parts: readonly string[]) => parts.join("").length;
  const common = words.length === 0 ? 0 : letters(shared) / Math.max(letters(words), name.length);
  return Math.min(slips, 1 - common - (shared.length === words.length && words.length > 0 ? 0.5 : 0));
}

/** Letters to add, drop, change or swap with their neighbour to make one word of the other. */
function edits(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1;
      let least = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + change);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) least = Math.min(least, before[column - 2]! + 1);
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above[to.length]!;
}
