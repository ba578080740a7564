import { isRecord } from "../../trace/json.ts";

/** JSON of anything; what is nested deeper than JSON.stringify can go is told by that alone. */
export function toJson(value: unknown, replacer?: (key: string, item: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replacer) ?? "null";
  } catch {
    return '"…"';
  }
}

/** JSON with sorted keys: equal for equal values, whatever order their keys were written in. */
export function stable(value: unknown): string {
  return toJson(value, (_key, item) => {
    if (!isRecord(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
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

/** The same for a list that may still grow: computed afresh whenever it has. */
export function rememberList<T, V>(compute: (list: readonly T[]) => V): (list: readonly T[]) => V {
  const known = new WeakMap<readonly T[], { length: number; value: V }>();
  return (list) => {
    let kept = known.get(list);
    if (kept?.length !== list.length) {
      kept = { length: list.length, value: compute(list) };
      known.set(list, kept);
    }
    return kept.value;
  };
}
