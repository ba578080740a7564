import { AT } from "./fetch.ts";
import { studentFrames } from "./where.ts";

type Method = (this: unknown, first: unknown, options?: unknown) => unknown;

interface Options {
  fetchOptions?: { [AT]?: string };
}

/**
 * Lets requests that go through the SDK carry the line that asked for them: when the SDK calls `fetch`, that line is no
 * longer on the stack. All go through `post`; streams and tool runners call it later, so they are marked themselves.
 * It stands in `fetchOptions`, which the SDK hands to `fetch` as they are, under a symbol: no header of the student's is
 * touched, and none is added that they could see.
 * @param client any client of the SDK; what is changed are the prototypes it shares with every other
 */
export function markSdk(client: object): void {
  const { messages, beta } = client as { messages?: object; beta?: { messages?: object } };
  mark(client, "post");
  mark(messages, "stream");
  for (const name of ["stream", "toolRunner", "thread"]) mark(beta?.messages, name);
}

/**
 * The same for another copy of the SDK, of any version; what is none is left alone. A copy stays marked for all runs of a child.
 * @param load hands over the copy's exports
 */
export function markSdkOf(load: () => unknown): void {
  try {
    const copy = load() as { default?: unknown; Anthropic?: unknown };
    const Client = (copy.Anthropic ?? copy.default) as new (options: object) => object;
    markSdk(new Client({ apiKey: "none" }));
  } catch {
    // no line is named then
  }
}

/** What stands in a method's place, so that none is marked twice. */
const marked = new WeakSet<Method>();

function mark(resource: object | undefined, name: string): void {
  const holder = holderOf(resource, name);
  const original = holder?.[name];
  if (holder === null || original === undefined || marked.has(original)) return;
  const marking = {
    [name](this: unknown, first: unknown, options?: unknown) {
      return original.call(this, first, withPlace(options));
    },
  }[name] as Method;
  marked.add(marking);
  holder[name] = marking;
}

/** The prototype that has a method as its own. */
function holderOf(resource: object | undefined, name: string): Record<string, Method> | null {
  let holder: object | null = resource ?? null;
  while (holder !== null && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder) as object | null;
  return holder as Record<string, Method> | null;
}

function withPlace(options: unknown): unknown {
  const at = studentFrames();
  if (at === null) return options;
  const add = (known: unknown) => {
    const { fetchOptions } = (known ?? {}) as Options;
    if (fetchOptions?.[AT] !== undefined) return known;
    return { ...(known as Options | undefined), fetchOptions: { ...fetchOptions, [AT]: at } };
  };
  return options instanceof Promise ? options.then(add) : add(options);
}
