import { expect, test } from "vitest";
import { knowTools, standIns } from "./stand-ins.ts";

const tools = [
  { name: "get_weather", input_schema: { properties: { city: {}, unit: {} } } },
  { name: "list_alerts", input_schema: {} },
];
let asked: unknown[] = [];

function begin(): void {
  asked = [];
  knowTools(tools, async (name, input) => {
    asked.push([name, input]);
    return `scripted ${name}`;
  });
}

const real = () => {
  throw new Error("a real tool was run");
};
const input = { city: "Lima" };
// biome-ignore lint/suspicious/noExplicitAny: a module exports anything
const of = (module: Record<string, unknown>) => standIns(module) as any;

test.each<[string, Record<string, unknown>, (made: ReturnType<typeof of>) => unknown]>([
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
])("a stand-in is asked for %s", async (_what, module, call) => {
  begin();
  expect(await call(of(module))).toBe("scripted get_weather");
  expect(asked).toEqual([["get_weather", input]]);
});

test("operands given one by one are put under their names", async () => {
  begin();
  await of({ getWeather: real }).getWeather("Lima", "c");
  await of({ listAlerts: real }).listAlerts();
  expect(asked).toEqual([
    ["get_weather", { city: "Lima", unit: "c" }],
    ["list_alerts", {}],
  ]);
});

test("data, classes and what a tool carries beside its function stay as they are", () => {
  class Unit {}
  const schema = { type: "object" };
  const made = of({ LIMIT: 3, Unit, tools: [{ name: "get_weather", input_schema: schema, run: real }] });
  expect([made.LIMIT, made.Unit, made.tools[0].input_schema]).toEqual([3, Unit, schema]);
});

test("a name that is no tool of the model's is told, whichever way it comes", async () => {
  begin();
  await expect(of({ runTool: real }).runTool("made_up", {})).rejects.toThrow("Unknown tool: made_up");
  await expect(of({ log: real }).log({ a: 1 })).rejects.toThrow("no tool of the model's: log");
  expect(asked).toEqual([]);
});
