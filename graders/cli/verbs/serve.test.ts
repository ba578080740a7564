import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { IS_WINDOWS } from "../../sandbox/platform.ts";
import { scenarioNames } from "../../serve/scenarios.ts";
import { script, twoAtOnce } from "../../testing/scripts.ts";
import { BARE, bucle, KIT } from "../testing/bucle.ts";
import { freshFolder } from "../testing/folders.ts";

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** `bucle serve`, up: its lines are read one by one. */
async function serving(...args: string[]) {
  const child = spawn(process.execPath, [join(KIT, "graders/cli/bucle.cjs"), "serve", ...args], {
    cwd: freshFolder(),
    env: { ...BARE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const errors = text(child.stderr);
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`serve ended: ${await errors}`);
    return value as string;
  };
  const until = async (found: RegExp) => {
    const read: string[] = [];
    do read.push(await line());
    while (!found.test(read.at(-1)!));
    return read;
  };
  const interrupt = async () => {
    child.kill("SIGINT");
    const rest: string[] = [];
    for (let next = await lines.next(); !next.done; next = await lines.next()) rest.push(next.value);
    const [code] = await ended;
    return { code, rest, stderr: await errors };
  };
  return { line, until, interrupt };
}

const HEADERS = { "content-type": "application/json", "x-api-key": "any", "anthropic-version": "2023-06-01" };

async function ask(url: string, messages: unknown[], tools: unknown) {
  const body = JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 64, messages, tools });
  return (await fetch(`${url}/v1/messages`, { method: "POST", headers: HEADERS, body })).json();
}

test("with --json each event is a line, from the start to Ctrl-C", async () => {
  const { line, interrupt } = await serving("weather-two-cities-at-once", "--json", "--seed", "s", "--lang", "en");
  const up = JSON.parse(await line());
  expect(up).toMatchObject({ event: "listening", scenario: "weather-two-cities-at-once", seed: "s" });
  const messages: unknown[] = [{ role: "user", content: up.userInput }];
  const first = await ask(up.url, messages, up.tools);
  const results = first.content
    .filter(({ type }: { type: string }) => type === "tool_use")
    .map(({ id }: { id: string }) => ({ type: "tool_result", tool_use_id: id, content: "\u001b[31m21 °C" }));
  messages.push({ role: "assistant", content: first.content }, { role: "user", content: results });
  const last = await ask(up.url, messages, up.tools);
  expect(last.stop_reason).toBe("end_turn");
  const told = [await line(), await line(), await line(), await line(), await line()].map((each) => JSON.parse(each));
  expect(told).toMatchObject([
    { event: "request", turn: 1, messages: 1, tools: ["get_weather", "get_air_quality"] },
    { event: "reply", status: 200, stopReason: "tool_use", calls: [{ name: "get_weather" }, { name: "get_weather" }] },
    { event: "request", turn: 2, messages: 3, results: [{ content: "\u001b[31m21 °C" }, {}] },
    { event: "reply", stopReason: "end_turn", final: true },
    { event: "found", why: "over", findings: [] },
  ]);
  const { code, rest, stderr } = await interrupt();
  if (IS_WINDOWS) return; // there a signal from another process is an end without a word
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(rest.map((each) => JSON.parse(each))).toEqual([
    {
      event: "end",
      conversations: 1,
      counts: { callModel: 2, executeTool: 2, httpRequests: 2, rejected: 0, faulted: 0 },
    },
  ]);
});

test.each([
  ["es", /Ctrl-C/, "Ofrécelas", "turno 1", /No se ha visto nada mal/, "1 respuesta del modelo"],
  ["en", /Ctrl-C/, "Offer them", "turn 1", /Nothing wrong has been seen/, "1 reply"],
])(
  "for people (%s): how to get there, what happens, what was counted",
  async (lang, ready, offer, turn, found, end) => {
    const file = join(freshFolder(), "mine.json");
    writeFileSync(file, JSON.stringify(script(twoAtOnce)));
    const { until, interrupt } = await serving(file, "--lang", lang);
    const head = (await until(ready)).join("\n");
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(head)![0];
    expect(head).toContain(`export ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=`);
    expect(head).toContain(`$env:ANTHROPIC_BASE_URL="${url}"; $env:ANTHROPIC_API_KEY="`);
    expect(head).toContain("What is wrong?");
    expect(head).toContain("read_logs(service), restart_service(service)");
    expect(head).toContain(offer);
    await ask(
      url,
      [{ role: "user", content: "?" }],
      [{ name: "read_logs\u001b[2J", input_schema: { type: "object" } }],
    );
    await ask(url, [{ role: "user", content: "?" }], [{ name: "read_logs", input_schema: { type: "object" } }]);
    const log = (await until(/tool_use/)).join("\n");
    expect(log).toContain(`${turn} · `);
    expect(log).toContain('read_logs({"service":"api"}), read_logs({"service":"db"})');
    expect(log).not.toContain("\u001b");
    const { rest } = await interrupt();
    if (IS_WINDOWS) return;
    expect(rest.join("\n")).toMatch(found);
    expect(rest.at(-1)?.split(" · ")).toContain(end);
  },
);

test("an unknown scenario is wrong usage: all of them are listed, and the one that may have been meant", async () => {
  const names = scenarioNames(KIT);
  expect(names.length).toBeGreaterThan(5);
  const [es, en, none] = await Promise.all([
    bucle(["serve", "weather-one-cal", "--lang", "es"]),
    bucle(["serve", "weather-one-cal", "--lang", "en"]),
    bucle(["serve", "--lang", "en"]),
  ]);
  for (const said of [es, en, none]) {
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr.trim().split("\n").slice(1)).toEqual(names.map((name) => `  ${name}`));
  }
  expect(es.stderr).toMatch(/^No hay escenario ni archivo `weather-one-cal`\. ¿Querías decir `weather-one-call`\?/);
  expect(en.stderr).toMatch(/^There is no scenario and no file `weather-one-cal`\. Did you mean `weather-one-call`\?/);
  expect(none.stderr).toMatch(/^Say which scenario/);
});

test("a file that is no scenario, and a port that cannot be, are wrong usage", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "broken.json"), "{");
  writeFileSync(join(folder, "other.json"), '{"title":"x"}');
  const { line } = await serving("weather-one-call", "--json");
  const { url } = JSON.parse(await line());
  const said = await Promise.all([
    bucle(["serve", "broken.json", "--lang", "en"], { cwd: folder }),
    bucle(["serve", "other.json", "--lang", "en"], { cwd: folder }),
    bucle(["serve", "weather-one-call", "--port", "http", "--lang", "en"]),
    bucle(["serve", "weather-one-call", "--port", new URL(url).port, "--lang", "en"]),
  ]);
  expect(said.map(({ code, stderr }) => [code, stderr.split(/[:.]/)[0]])).toEqual([
    [2, "broken"],
    [2, "other"],
    [2, "`--port` is the number of a port, from 1 to 65535"],
    [2, `Port ${new URL(url).port} is already in use`],
  ]);
});
