import { expect, test } from "vitest";
import type { AuditReport } from "../../../audit/report.ts";
import * as samples from "../../testing/audit-samples.ts";
import github from "./github.ts";

const SAMPLES = Object.entries(samples) as [string, () => AuditReport][];

interface Command {
  name: string;
  properties: Record<string, string>;
  message: string;
}

/** What GitHub's runner makes of the output: a command is a line that begins, white space aside, with `::`. */
function read(output: string): { commands: Command[]; others: string[] } {
  const commands: Command[] = [];
  const others: string[] = [];
  for (const line of output.split(/\r\n|\r|\n/)) {
    const found = /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line);
    if (found === null) {
      others.push(line);
      continue;
    }
    const properties = Object.fromEntries(
      (found[2] ?? "").split(",").map((pair) => {
        const [key = "", ...value] = pair.split("=");
        return [key, unescaped(value.join("=")).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%")];
      }),
    );
    commands.push({ name: found[1]!, properties, message: unescaped(found[3]!).replaceAll("%25", "%") });
  }
  return { commands, others };
}

function unescaped(text: string): string {
  return text.replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

test.each(SAMPLES)("%s: nothing is a command but our annotations, and none is too much for GitHub", (_name, make) => {
  for (const lang of ["es", "en"] as const) {
    const output = github(make(), lang);
    const { commands, others } = read(output);
    expect(others).toHaveLength(1);
    expect(output).not.toContain("##[");
    for (const name of ["error", "warning", "notice"]) {
      expect(commands.filter((command) => command.name === name).length).toBeLessThanOrEqual(10);
    }
    for (const { name, properties, message } of commands) {
      expect(["error", "warning", "notice"]).toContain(name);
      expect(Object.keys(properties).filter((key) => !["file", "line", "col", "title"].includes(key))).toEqual([]);
      expect([...properties.title!].length).toBeLessThanOrEqual(255);
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(64 * 1024);
    }
  }
});

test("an annotation stands at its line, as bad as it is, and says how to go on", () => {
  const { commands } = read(github(samples.ownTools(), "en"));
  expect(commands.map(({ name, properties }) => [name, properties.file, properties.line])).toEqual([
    ["error", "packages/desk/src/agent.ts", "10"],
    ["error", "packages/desk/src/agent.ts", "10"],
    ["warning", "packages/desk/src/agent.ts", "9"],
    ["notice", "packages/desk/src/agent.ts", undefined],
  ]);
  expect(commands[0]!.properties.title).toBe("fails: Answers every call of a turn, in a single message");
  expect(commands[0]!.message.split("\n")).toEqual([
    "The result of a tool did not reach the model. The model asked for 2 tools in one turn and was sent 1 tool_result.",
    "→ What becomes of the `tool_use` blocks after the first?",
    "npx bucle explain dropped-tool-result",
    "parallel · --seed k3f9x2",
  ]);
});

test("what was accepted is not annotated; a command has no file", () => {
  expect(github(samples.mixed(), "en")).not.toContain("gives-up");
  for (const { properties } of read(github(samples.command(), "en")).commands) expect(properties.file).toBeUndefined();
});

test("the tenth of a kind names all that have no room", () => {
  const { commands } = read(github(samples.many(), "es"));
  expect(commands).toHaveLength(30);
  const { properties, message } = commands[9]!;
  expect(properties).toEqual({ title: "rompe: 3 fallas más, que GitHub no mostraría" });
  expect(message.match(/^behaviour-\d+/gm)).toEqual(["behaviour-28", "behaviour-31", "behaviour-34"]);
});

test("ten of a kind have room", () => {
  const { behaviours, ...report } = samples.many();
  const ten = behaviours.filter(({ severity }) => severity === "breaks").slice(0, 10);
  const { commands } = read(github({ ...report, behaviours: ten }, "en"));
  expect(commands.map(({ properties }) => properties.file)).toEqual(Array(10).fill("src/agent.ts"));
});

test("hostile names and messages come out as they went in, cleaned", () => {
  const [first] = read(github(samples.hostile(), "en")).commands;
  expect(first!.properties.file).toBe("packages/::error::x/src/agent % ::error::file,line=1::]]>.ts");
  expect(first!.message).toContain("\n::error::x\n");
  expect(first!.message.endsWith("…")).toBe(true);
});

test("the log is told the totals and the seed, also where nothing fails", () => {
  expect(github(samples.allHolds(), "es")).toBe("Se auditó src/agent.ts · cumple 2 · --seed k3f9x2");
});
