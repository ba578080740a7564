/**
 * Stand-ins for the functions of a module: each asks the parent what the tool of its name does, and runs nothing.
 * A tool is found by the name beside the function (`{ name, run }`), by the key it stands under, or, for a dispatcher
 * (`runTool(name, input)`), by its first argument.
 */

type Run = (name: string, input: unknown) => Promise<unknown>;

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

/** Keys under which a tool's own object keeps its function. */
const RUNNERS = new Set(["run", "execute", "call", "invoke", "func", "fn", "handler", "_call"]);
const DEPTH = 6;

/** @param real the module's exports @returns the same, with stand-ins in place of its functions; data stays as it is */
export function standIns(real: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(real).map((key) => [key, replace(real[key], key, null, DEPTH)]));
}

function replace(value: unknown, key: string, owner: object | null, depth: number): unknown {
  if (typeof value === "function") return isClass(value) ? value : standIn(value, key, owner);
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => replace(item, "", null, depth - 1));
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [k, replace(v, String(k), null, depth - 1)]));
  const own = Object.getPrototypeOf(value);
  if (own === Object.prototype || own === null) {
    // A tool kept in a record may have no name of its own: then it has its key's.
    const named = typeof (value as { name?: unknown }).name === "string" ? value : { ...value, name: key };
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, replace(v, k, named, depth - 1)]));
  }
  // An instance keeps its nature: only what runs it is replaced.
  return new Proxy(value, {
    get: (target, property) => {
      const found: unknown = Reflect.get(target, property, target);
      if (typeof property !== "string" || typeof found !== "function") return found;
      return RUNNERS.has(property) ? standIn(found, property, target) : found.bind(target);
    },
  });
}

function isClass(value: unknown): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function standIn(original: object, key: string, owner: object | null): unknown {
  const ownName = (owner as { name?: unknown } | null)?.name;
  const name = RUNNERS.has(key) && typeof ownName === "string" ? ownName : key;
  const stand = async (...args: unknown[]): Promise<unknown> => {
    const dispatched = typeof args[0] === "string" ? toolCalled(args[0]) : undefined;
    const own = toolCalled(name);
    if (own) return run(own.name, inputOf(own, args));
    if (dispatched) return run(dispatched.name, args[1]);
    if (typeof args[0] === "string" && args.length > 1) throw new Error(`Unknown tool: ${args[0]}`);
    throw new Error(`A stand-in was called that is no tool of the model's: ${name}`);
  };
  return Object.assign(stand, original);
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
  if (args.length === 0) return {};
  return Object.fromEntries(args.slice(0, operands.length).map((value, index) => [operands[index], value]));
}
