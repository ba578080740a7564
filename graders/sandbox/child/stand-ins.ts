/**
 * Stand-ins for the functions of a module: each asks the parent what the tool of its name does, and runs nothing.
 * A tool is found by the name beside the function (`{ name, run }`), by the key it stands under, or, for a dispatcher
 * (`runTool(name, input)`, `handle(block)`), by what it is given. What a library or a registry does around a tool (reading
 * its input by a schema, putting its output into a message) stays its own: only the innermost function is replaced.
 */

/** @param standIn the function that is called, where it is not known to be a tool's */
type Run = (name: string, input: unknown, standIn?: string) => Promise<unknown>;
type Bag = Record<string, unknown>;

/** What is known of a tool: the name the model uses, and its operands in order. */
interface Known {
  name: string;
  operands: readonly string[];
}

let known: readonly Known[] = [];
let run: Run = () => Promise.reject(new Error("No run is under way"));

/** @param tools the tools of the run that begins, as the model is told of them */
export function knowTools(tools: readonly unknown[], how: Run): void {
  run = how;
  known = tools.flatMap((tool) => {
    const { name, input_schema } = tool as { name?: unknown; input_schema?: { properties?: object } };
    return typeof name === "string" ? [{ name, operands: Object.keys(input_schema?.properties ?? {}) }] : [];
  });
}

/** Keys under which a tool's own object keeps its function. LangChain's others lead to `_call`. */
const RUNNERS = new Set(["_call", "run", "execute", "call", "invoke", "func", "fn", "handler"]);
/** What else makes an object with such a function a tool, and no record of tools. */
const OF_A_TOOL = ["name", "description", "inputSchema", "input_schema", "parameters", "schema"];
/** What a tool may carry beside its function that runs nothing: its schemas, and what reads or writes by them. */
const KEPT = /^(in|out)put_?schema$|^parameters$|^schema$|^parse$|^validate$|^needsApproval$|^toModelOutput$/i;
const DEPTH = 6;
/** Stand-ins, and what holds one: nothing is replaced twice. */
const replaced = new WeakSet<object>();

/**
 * @param real the module's exports; of CommonJS, whatever `module.exports` is
 * @returns the same, with stand-ins in place of its functions; data stays as it is
 */
export function standIns(real: unknown): unknown {
  if (!isNamespace(real)) return replace(real, "default", null, DEPTH);
  const exported = { ...real }; // read: a module's exports may be getters
  const made = holdsTool(exported)
    ? replaceRecord(exported, "default", DEPTH)
    : Object.fromEntries(Object.entries(exported).map(([key, value]) => [key, replace(value, key, null, DEPTH)]));
  // How the two kinds of module tell a default from all the exports; not among the keys.
  return real.__esModule ? Object.defineProperty(made, "__esModule", { value: true }) : made;
}

/** Whether it holds exports by name, and is none itself. */
function isNamespace(real: unknown): real is Readonly<Bag> {
  if (typeof real !== "object" || real === null) return false;
  const prototype: unknown = Object.getPrototypeOf(real);
  return prototype === null || prototype === Object.prototype;
}

function replace(value: unknown, key: string, owner: object | null, depth: number): unknown {
  if (typeof value === "function") return isClass(value) ? replaceInstances(value) : standIn(value, key, owner, depth);
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => replace(item, "", null, depth - 1));
  if (value instanceof Set) return new Set([...value].map((item) => replace(item, "", null, depth - 1)));
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [k, replace(v, String(k), null, depth - 1)]));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return replaceInstance(value as Bag);
  return replaceRecord(value as Bag, key, depth);
}

/** A copy; what is hidden in it (symbols, getters) comes along. */
function replaceRecord(record: Bag, key: string, depth: number): Bag {
  const isTool = holdsTool(record);
  // A tool kept in a record may have no name of its own: then it has its key's.
  const named = typeof record.name === "string" ? record : { ...record, name: key };
  const properties = Object.getOwnPropertyDescriptors(record);
  for (const [name, property] of Object.entries(properties)) {
    if (!("value" in property) || (isTool && KEPT.test(name))) continue;
    const isBeside = isTool && typeof property.value === "function" && !RUNNERS.has(name);
    properties[name] = {
      ...property,
      value: isBeside ? () => undefined : replace(property.value, name, named, depth - 1),
    };
  }
  return Object.create(Object.getPrototypeOf(record) as object | null, properties) as Bag;
}

function holdsTool(record: Bag): boolean {
  const runs = [...RUNNERS].some((name) => typeof record[name] === "function");
  return runs && OF_A_TOOL.some((name) => record[name] !== undefined && typeof record[name] !== "function");
}

/** An instance keeps its nature: only what runs a tool is replaced, within it. */
function replaceInstance(instance: Bag): unknown {
  // Of LangChain: all its other functions come to this one.
  if (typeof instance._call === "function") {
    return Object.create(instance, { _call: { value: standIn(instance._call, "_call", instance, 0) } });
  }
  disarm(instance);
  for (const [name, method] of methodsOf(instance)) put(instance, name, replaceMethod(method, name, instance));
  return instance;
}

/** Methods of an object, its classes' too, those of the language left out. */
function methodsOf(instance: object): Map<string, object> {
  const methods = new Map<string, object>();
  for (let holder: object | null = instance; holder !== null; ) {
    const made: unknown = Object.getOwnPropertyDescriptor(holder, "constructor")?.value;
    if (typeof made === "function" && isNative(made)) break;
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      if (name === "constructor" || typeof value !== "function" || isClass(value)) continue;
      if (!methods.has(name)) methods.set(name, value as object);
    }
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return methods;
}

function isNative(value: unknown): boolean {
  return typeof value === "function" && /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(value));
}

/** What runs no tool, though it is told of one by its name. */
const TELLS =
  /^(add|register|set|has|get|find|list|is|can|should|validate|check|parse|describe|schema|format|log|info|debug|warn|error|trace|emit|notify|on|off|before|after|record|count|track)(?![a-z])/;

/** A method that runs a tool is a stand-in; one of a registry whose tools could be replaced is run, and comes to theirs. */
function replaceMethod(original: object, key: string, instance: Bag): object {
  if (replaced.has(original)) return original;
  const stand = standIn(original, key, instance, 0) as (...args: unknown[]) => unknown;
  const method = new Proxy(original as (...args: unknown[]) => unknown, {
    apply: (target, self, args) => {
      if (toolCalled(nameOf(key, instance, target))) return stand(...args);
      const held = disarm(instance);
      const asked = dispatchOf(args);
      const isHeld = asked?.tool ? held.has(asked.tool.name) : held.size > 0;
      const runsTool = RUNNERS.has(key) || (asked?.tool && asked.input !== undefined && !TELLS.test(key));
      if (runsTool && !isHeld) return stand(...args);
      const came: unknown = Reflect.apply(target, self, args);
      disarm(instance); // it may have been given a tool
      return came;
    },
  });
  replaced.add(method);
  return method;
}

/** Puts stand-ins in the place of the tools that an instance holds, within its own lists, records, Maps and Sets. @returns their names */
function disarm(holder: object, depth = 3, found = new Set<string>()): Set<string> {
  for (const [key, value, place] of entriesOf(holder)) {
    const tool = toolIn(value, key);
    if (tool === undefined) {
      if (depth > 0 && isCollection(value)) disarm(value, depth - 1, found);
      continue;
    }
    if (replaced.has(value as object)) {
      found.add(tool.name);
      continue;
    }
    const made = replace(value, key, null, 1) as object;
    if (!place(made)) continue;
    replaced.add(made);
    found.add(tool.name);
  }
  return found;
}

type Entry = [key: string, value: unknown, place: (made: unknown) => boolean];

function entriesOf(holder: object): Entry[] {
  if (holder instanceof Map)
    return [...holder].map(([key, value]) => [String(key), value, (made) => holder.set(key, made).has(key)]);
  if (holder instanceof Set) {
    return [...holder].map((value) => [
      "",
      value,
      (made) => {
        const all = [...holder].map((each) => (each === value ? made : each));
        holder.clear();
        for (const each of all) holder.add(each);
        return true;
      },
    ]);
  }
  return Object.entries(Object.getOwnPropertyDescriptors(holder)).flatMap(([key, { value }]): Entry[] =>
    value === undefined ? [] : [[Array.isArray(holder) ? "" : key, value, (made) => put(holder, key, made)]],
  );
}

function put(holder: object, key: string, value: unknown): boolean {
  const enumerable = Object.getOwnPropertyDescriptor(holder, key)?.enumerable ?? false;
  return Reflect.defineProperty(holder, key, { value, enumerable, configurable: true, writable: true });
}

function isCollection(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The tool of the model's that a value is, with its function. */
function toolIn(value: unknown, key: string): Known | undefined {
  if (typeof value === "function") {
    return isClass(value) ? undefined : (toolCalled(key) ?? toolCalled((value as { name?: string }).name ?? ""));
  }
  if (typeof value !== "object" || value === null) return undefined;
  const bag = value as Bag;
  if (![...RUNNERS].some((name) => typeof bag[name] === "function")) return undefined;
  return toolCalled(typeof bag.name === "string" ? bag.name : key);
}

function isClass(value: unknown): value is new () => object {
  return typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
}

/** A class whose instances are replaced as they are made. */
function replaceInstances(made: new () => object): unknown {
  return new Proxy(made, {
    construct: (target, args, newTarget) =>
      replaceInstance(Reflect.construct(target, args, newTarget) as Bag) as object,
  });
}

/** @param depth how far into what the function carries as an object */
function standIn(original: object, key: string, owner: object | null, depth: number): unknown {
  if (replaced.has(original)) return original;
  const name = nameOf(key, owner, original);
  const stand = async (...args: unknown[]): Promise<unknown> => {
    const own = toolCalled(name);
    if (own) return run(own.name, inputOf(own, args));
    const given = dispatchOf(args);
    const asked = given?.input === undefined && TELLS.test(name) ? null : given;
    if (asked?.tool) return answer(original, args, () => run(asked.tool!.name, asked.input));
    // The parent is told, and knows whether the model has asked for it.
    await run(asked?.name ?? name, asked?.input ?? {}, name).catch(() => {});
    throw new Error(
      asked ? `Unknown tool: ${asked.name}` : `A stand-in was called that is no tool of the model's: ${name}`,
    );
  };
  const carried = Object.entries(original).map(([name, value]) => {
    return [name, depth === 0 ? value : replace(value, name, null, depth - 1)] as const;
  });
  const made = Object.assign(stand, Object.fromEntries(carried));
  replaced.add(made);
  return made;
}

/** By which the tool is known whose function it is. */
function nameOf(key: string, owner: object | null, original: object): string {
  const ownName = (owner as { name?: unknown } | null)?.name;
  if (RUNNERS.has(key) && typeof ownName === "string") return ownName;
  return String(key === "" || key === "default" ? (original as { name?: unknown }).name : key);
}

/** Fields that hold a call's input, in the object that a dispatcher is given. */
const INPUTS = ["input", "arguments", "args", "parameters"];

interface Asked {
  name: string;
  input: unknown;
  /** Left out where the model is offered none of that name. */
  tool?: Known | undefined;
}

/** What a dispatcher is asked for: a name with the object after it, or an object with both. A tool of the model's comes first. */
function dispatchOf(args: readonly unknown[]): Asked | null {
  const all = args.flatMap((value, index): Asked[] => {
    if (typeof value === "string") {
      const input = args.slice(index + 1).find((each) => typeof each === "object" && each !== null);
      return [{ name: value, input, tool: exactly(value) ?? (index === 0 ? toolCalled(value) : undefined) }];
    }
    if (typeof value !== "object" || value === null) return [];
    const { name, ...rest } = value as Bag;
    const field = INPUTS.find((each) => each in rest);
    return typeof name === "string" && field ? [{ name, input: rest[field], tool: toolCalled(name) }] : [];
  });
  return all.find(({ tool }) => tool) ?? all[0] ?? null;
}

/** A dispatcher that writes the `tool_result` itself, as its text shows, is answered for with one. */
async function answer(original: object, args: readonly unknown[], ask: () => Promise<unknown>): Promise<unknown> {
  const text = Function.prototype.toString.call(original);
  const id = args.map((value) => (value as { id?: unknown } | null)?.id).find((each) => typeof each === "string");
  if (id === undefined || !/\btool_use_id\b/.test(text)) return ask();
  const result = { type: "tool_result", tool_use_id: id };
  try {
    return { ...result, content: await ask() };
  } catch (error) {
    if (!/\bis_error\b/.test(text)) throw error;
    return { ...result, content: (error as Error).message, is_error: true };
  }
}

function exactly(name: string): Known | undefined {
  return known.find((tool) => tool.name === name);
}

function toolCalled(name: string): Known | undefined {
  return exactly(name) ?? known.find((tool) => plain(tool.name) === plain(name));
}

/** `getWeather` and `get_weather` are one. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** One object is the input; operands given one by one are put under their names. */
function inputOf({ operands }: Known, args: readonly unknown[]): unknown {
  const [first] = args;
  if (typeof first === "object" && first !== null && !Array.isArray(first)) return first;
  const given = args.slice(0, operands.length).map((value, index) => [operands[index], value] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
