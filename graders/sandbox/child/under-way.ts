/** The tools that were begun and have not come back to the code that began them, by the question that was asked for each. */
const begun = new Set<number>();

export function toolBegins(id: number): void {
  begun.add(id);
}

/** What came of it, or that nobody waits any more, is about to reach the code that began it. */
export function toolComesBack(id: number): void {
  begun.delete(id);
}

export function underWay(): number[] {
  return [...begun];
}

/** A run begins: nothing has been begun in it. */
export function forgetTools(): void {
  begun.clear();
}
