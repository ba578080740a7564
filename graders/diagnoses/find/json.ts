/** JSON with sorted keys: equal for equal values, whatever order their keys were written in. */
export function stable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (!isRecord(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }) ?? "null";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Results of a pure function of an event or a trace, kept as long as that lives: stop conditions run after every event. */
export function remember<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>();
  return (key) => {
    let kept = known.get(key);
    if (kept === undefined) {
      kept = { value: compute(key) };
      known.set(key, kept);
    }
    return kept.value;
  };
}
