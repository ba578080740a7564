import { expect, test } from "vitest";
import { knowTools, standIns } from "./stand-ins.ts";

const tools = [
  { name: "get_weather", input_schema: { properties: { city: {}, unit: {} } } },
  { name: "list_alerts", input_schema: {} },
];
let asked: [name: string, input: unknown, standIn?: string][] = [];

function begin(): void {
  asked = [];
  knowTools(tools, async (name, input, standIn) => {
    asked.push(standIn === undefined ? [name, input] : [name, input, standIn]);
    return `scripted ${name}`;
  });
}

const real = () => {
  throw new Error("a real tool was run");
};
const input = { city: "Lima" };
// biome-ignore lint/suspicious/noExplicitAny: a module exports anything
const of = (module: object) => standIns(module) as any;

test.each<[string, object, (made: ReturnType<typeof of>) => unknown]>([
  ["of a module that is a tool", { name: "get_weather", description: "…", run: real }, (made) => made.run(input)],
  [
    "of a module that is a function",
    function get_weather() {
      real();
    },
    (made) => made(input),
  ],
  [
    "carried by a module that is a function, and is its own default",
    (() => {
      const made = Object.assign(() => real(), { get_weather: real, default: real as unknown });
      made.default = made;
      return made;
    })(),
    (made) => made.default.get_weather(input),
  ],
  ["a function by its own name", { get_weather: real }, (made) => made.get_weather(input)],
  ["by its name in another spelling", { getWeather: real }, (made) => made.getWeather(input)],
  ["in a record, by its key", { handlers: { get_weather: real } }, (made) => made.handlers.get_weather(input)],
  [
    "in a list of tools, by the name beside it",
    { tools: [{ name: "get_weather", run: real }] },
    (made) => made.tools[0].run(input),
  ],
  [
    "in a record of tools without names",
    { tools: { get_weather: { description: "…", execute: real } } },
    (made) => made.tools.get_weather.execute(input),
  ],
  ["a dispatcher, by its first argument", { runTool: real }, (made) => made.runTool("get_weather", input)],
  [
    "a dispatcher, by the name that comes after something else",
    { runTool: real },
    (made) => made.runTool({ user: 1 }, "get_weather", input),
  ],
  [
    "a dispatcher, by the name that comes after a word",
    { runTool: real },
    (made) => made.runTool("session-1", "get_weather", input),
  ],
  ["a dispatcher of blocks", { handle: real }, (made) => made.handle({ type: "tool_use", name: "get_weather", input })],
  ...["arguments", "args", "parameters"].map((field): [string, object, (made: ReturnType<typeof of>) => unknown] => [
    `a dispatcher of an object with ${field}`,
    { runTool: real },
    (made) => made.runTool({ name: "get_weather", [field]: input }),
  ]),
  ["in a Map", { table: new Map([["get_weather", real]]) }, (made) => made.table.get("get_weather")(input)],
  [
    "of an instance",
    {
      tool: new (class {
        name = "get_weather";
        invoke() {
          real();
        }
      })(),
    },
    (made) => made.tool.invoke(input),
  ],
  [
    "in a list of functions, by their names",
    {
      tools: [
        function get_weather() {
          real();
        },
      ],
    },
    (made) => made.tools[0](input),
  ],
  [
    "as a default export, by its name",
    {
      default: function getWeather() {
        real();
      },
    },
    (made) => made.default(input),
  ],
  ["in a Set", { tools: new Set([{ name: "get_weather", run: real }]) }, (made) => [...made.tools][0].run(input)],
  [
    "that an instance has as a method",
    {
      desk: new (class {
        getWeather() {
          real();
        }
      })(),
    },
    (made) => made.desk.getWeather(input),
  ],
  [
    "of a class, once there is an instance",
    {
      Weather: class {
        name = "get_weather";
        execute() {
          real();
        }
      },
    },
    (made) => new made.Weather().execute(input),
  ],
  [
    "at the end of what a library does around it",
    {
      tool: new (class {
        name = "get_weather";
        invoke(call: { args: unknown }) {
          return this._call(call.args);
        }
        _call(_input: unknown): unknown {
          return real();
        }
      })(),
    },
    (made) => made.tool.invoke({ args: input }),
  ],
])("a stand-in is asked for %s", async (_what, module, call) => {
  begin();
  expect(await call(of(module))).toBe("scripted get_weather");
  expect(asked).toEqual([["get_weather", input]]);
});

const weather = () => ({ name: "get_weather", execute: real });

/** Registries as they stand in projects: what holds their tools, and nothing else that tells. */
class Held {
  tools: object;
  constructor(tools: object) {
    this.tools = tools;
  }
  register(key: string, tool: object) {
    (this.tools as Map<string, object>).set(key, tool);
    return this;
  }
  // biome-ignore lint/suspicious/noExplicitAny: a registry holds anything
  find(name: string): any {
    const { tools } = this;
    if (tools instanceof Map) return tools.get(name);
    if (Array.isArray(tools) || tools instanceof Set) return [...tools].find((tool) => tool.name === name);
    return (tools as Record<string, unknown>)[name];
  }
  async dispatch({ id, name, input }: { id: string; name: string; input: unknown }) {
    return { type: "tool_result", tool_use_id: id, content: await this.find(name).execute(input) };
  }
}

test.each<[string, () => object]>([
  ["a Map", () => new Map([["get_weather", weather()]])],
  ["a list", () => [weather()]],
  ["a record", () => ({ get_weather: weather() })],
  ["a Set", () => new Set([weather()])],
  [
    "a Map of instances",
    () =>
      new Map([
        [
          "get_weather",
          new (class {
            name = "get_weather";
            execute() {
              real();
            }
          })(),
        ],
      ]),
  ],
])("an instance that holds its tools in %s is run, and they are not, inside or out", async (_what, tools) => {
  begin();
  const { toolbox } = of({ toolbox: new Held(tools()) });
  expect(toolbox).toBeInstanceOf(Held);
  expect(await toolbox.find("get_weather").execute(input)).toBe("scripted get_weather");
  expect(await toolbox.dispatch({ id: "toolu_1", name: "get_weather", input })).toEqual({
    type: "tool_result",
    tool_use_id: "toolu_1",
    content: "scripted get_weather",
  });
  expect(asked).toEqual([
    ["get_weather", input],
    ["get_weather", input],
  ]);
});

test("a tool that an instance is given later is not run either", async () => {
  begin();
  const { toolbox } = of({ toolbox: new Held(new Map()) });
  toolbox.register("get_weather", weather());
  expect(await toolbox.tools.get("get_weather").execute(input)).toBe("scripted get_weather");
  const made = new (of({ Held }).Held)(new Map()).register("get_weather", weather());
  expect(await made.find("get_weather").execute(input)).toBe("scripted get_weather");
});

class Hidden {
  #tools = [{ name: "get_weather", execute: real }];
  get(name: string) {
    return this.#tools.some((tool) => tool.name === name);
  }
  dispatch(name: string, _input: unknown) {
    return this.#tools.find((tool) => tool.name === name)?.execute();
  }
  handle({ id, name }: { id: string; name: string; input: unknown }) {
    try {
      return { type: "tool_result", tool_use_id: id, content: this.dispatch(name, {}) };
    } catch (error) {
      return { type: "tool_result", tool_use_id: id, content: (error as Error).message, is_error: true };
    }
  }
}

test("of an instance that hides its tools, what is asked to run one is a stand-in, and answers in its form", async () => {
  begin();
  const { toolbox } = of({ toolbox: new Hidden() });
  expect(await toolbox.dispatch("get_weather", input)).toBe("scripted get_weather");
  expect(toolbox.get("get_weather")).toBe(true);
  const call = { type: "tool_use", id: "toolu_1", name: "get_weather", input };
  const result = { type: "tool_result", tool_use_id: "toolu_1" };
  expect(await toolbox.handle(call)).toEqual({ ...result, content: "scripted get_weather" });
  expect(asked).toHaveLength(2);
  knowTools(tools, () => Promise.reject(new Error("no connection")));
  expect(await toolbox.handle(call)).toEqual({ ...result, content: "no connection", is_error: true });
});

test("operands given one by one are put under their names", async () => {
  begin();
  await of({ getWeather: real }).getWeather("Lima", "c");
  await of({ listAlerts: real }).listAlerts();
  await of({ getWeather: real }).getWeather("Lima", undefined);
  expect(asked).toEqual([
    ["get_weather", { city: "Lima", unit: "c" }],
    ["list_alerts", {}],
    ["get_weather", { city: "Lima" }],
  ]);
});

test("data, classes and what a tool carries beside its function stay as they are", () => {
  class Unit {
    symbol = "°C";
  }
  const secret = Symbol("schema");
  const schema = { type: "object", validate: () => "really", [secret]: true };
  const unit = new Unit();
  const tool = { name: "get_weather", inputSchema: schema, parse: () => "read", run: real, [secret]: 1 };
  const made = of({ LIMIT: 3, Unit, unit, tools: [tool] });
  expect([made.LIMIT, made.unit, made.tools[0].inputSchema]).toEqual([3, unit, schema]);
  expect(new made.Unit()).toBeInstanceOf(Unit);
  expect([made.tools[0].inputSchema.validate(), made.tools[0].parse(), made.tools[0][secret]]).toEqual([
    "really",
    "read",
    1,
  ]);
});

test("what else a tool does on the way is left out; a record of tools has no such thing", async () => {
  begin();
  const made = of({
    tools: { get_weather: { description: "…", execute: real, onInputStart: real } },
    run: real,
    parse: real,
  });
  expect(made.tools.get_weather.onInputStart()).toBe(undefined);
  const record = of({ table: { run: real, get_weather: real } }).table;
  expect(await record.get_weather(input)).toBe("scripted get_weather");
  await expect(record.run("made_up", {})).rejects.toThrow("Unknown tool: made_up");
  await expect(made.parse({})).rejects.toThrow("no tool of the model's: parse");
});

test("a name that is no tool of the model's is told, whichever way it comes, and to the parent, too", async () => {
  begin();
  await expect(of({ runTool: real }).runTool("made_up", {})).rejects.toThrow("Unknown tool: made_up");
  await expect(of({ log: real }).log({ a: 1 })).rejects.toThrow("no tool of the model's: log");
  await expect(of({ run: real }).run("made_up")).rejects.toThrow("Unknown tool: made_up");
  await expect(of({ handle: real }).handle({ name: "made_up", input })).rejects.toThrow("Unknown tool: made_up");
  expect(asked).toEqual([
    ["made_up", {}, "runTool"],
    ["log", {}, "log"],
    ["made_up", {}, "run"],
    ["made_up", input, "handle"],
  ]);
});

test("a function that only looks a tool up runs none", async () => {
  begin();
  await expect(of({ getTool: real }).getTool("get_weather")).rejects.toThrow("no tool of the model's: getTool");
  await expect(of({ hasTool: real }).hasTool("get_weather")).rejects.toThrow("no tool of the model's: hasTool");
  expect(asked.map(([name]) => name)).toEqual(["getTool", "hasTool"]);
});

test("a module that tells its default from all its exports goes on telling", () => {
  const module = Object.defineProperty({ default: real }, "__esModule", { value: true });
  expect(of(module).__esModule).toBe(true);
  expect(of({ default: real })).not.toHaveProperty("__esModule");
});
