/**
 * Stand-ins for the functions of a module: each asks the parent what the tool of its name does, and runs nothing.
 * A tool is found by the name beside the function (`{ name, run }`), by the key it stands under, or, for a dispatcher
 * (`runTool(name, input)`), by its first argument. What a library does around a tool (reading its input by a schema,
 * putting its output into a message) stays its own: only the innermost function is replaced.
 */

type Run = (name: string, input: unknown) => Promise<unknown>;
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

/** An instance keeps its nature: only what runs it is replaced. */
function replaceInstance(instance: Bag): unknown {
  // Of LangChain: all its other functions come to this one.
  if (typeof instance._call === "function") {
    return Object.create(instance, { _call: { value: standIn(instance._call, "_call", instance, 0) } });
  }
  const isRunner = (name: PropertyKey) =>
    typeof name === "string" && (RUNNERS.has(name) || toolCalled(name) !== undefined);
  if (!keysOf(instance).some((name) => isRunner(name) && typeof instance[name] === "function")) return instance;
  return new Proxy(instance, {
    get: (target, property) => {
      const found: unknown = Reflect.get(target, property, target);
      if (typeof property !== "string" || typeof found !== "function") return found;
      return isRunner(property) ? standIn(found, property, target, 0) : found.bind(target);
    },
  });
}

/** Names of all that an object has, its class's too. */
function keysOf(instance: object): string[] {
  const keys: string[] = [];
  for (let holder: object | null = instance; holder !== null && holder !== Object.prototype; ) {
    keys.push(...Object.getOwnPropertyNames(holder));
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return keys;
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
  const ownName = (owner as { name?: unknown } | null)?.name;
  const called = key === "" || key === "default" ? (original as { name?: unknown }).name : key;
  const name = RUNNERS.has(key) && typeof ownName === "string" ? ownName : String(called);
  const stand = async (...args: unknown[]): Promise<unknown> => {
    const dispatched = typeof args[0] === "string" ? toolCalled(args[0]) : undefined;
    const own = toolCalled(name);
    if (own) return run(own.name, inputOf(own, args));
    if (dispatched) return run(dispatched.name, args[1]);
    if (typeof args[0] === "string" && args.length > 1) throw new Error(`Unknown tool: ${args[0]}`);
    throw new Error(`A stand-in was called that is no tool of the model's: ${name}`);
  };
  const carried = Object.entries(original).map(([name, value]) => {
    return [name, depth === 0 ? value : replace(value, name, null, depth - 1)] as const;
  });
  return Object.assign(stand, Object.fromEntries(carried));
}

function toolCalled(name: string): Known | undefined {
  return known.find((tool) => tool.name === name) ?? known.find((tool) => plain(tool.name) === plain(name));
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
