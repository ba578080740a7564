import { expect, test } from "vitest";
import type { HttpAnswer } from "../model/encoding.ts";
import { openTestScript } from "../testing/play.ts";
import { endless, noCall, oneTurn, script, twoAtOnce } from "../testing/scripts.ts";
import type { ApiMessage } from "../trace/api.ts";
import type { Scenario } from "../trace/scenario.ts";
import { type Happening, tryOut } from "./trying.ts";

type Event<E extends Happening["event"]> = Extract<Happening, { event: E }>;

/** A trial, and a client that sends histories to it. */
function trying(json: unknown) {
  const scenario: Scenario = openTestScript(json);
  const told: Happening[] = [];
  const trial = tryOut(scenario, (happening) => told.push(happening));
  const post = (path: string, body: unknown, method = "POST") =>
    trial.answer({
      method,
      path,
      headers: { "x-api-key": "any", "anthropic-version": "2023-06-01" },
      body: JSON.stringify(body),
    });
  const ask = (messages: readonly unknown[], more: object = {}) =>
    post("/v1/messages", {
      ...{ model: "claude-sonnet-5-5", max_tokens: 64, messages, tools: scenario.tools },
      ...more,
    });
  const of = <E extends Happening["event"]>(event: E) =>
    told.filter((happening): happening is Event<E> => happening.event === event);
  return { told, trial, post, ask, of };
}

const PROMPT = { role: "user", content: "What is wrong?" };
const message = (answer: HttpAnswer | null) => JSON.parse(answer!.body) as ApiMessage;

/** The history after a reply, with a result for each of its calls, or some of them. */
function after(messages: readonly unknown[], reply: ApiMessage, answered = Number.POSITIVE_INFINITY): unknown[] {
  const calls = reply.content.flatMap((block) => (block.type === "tool_use" ? [block] : [])).slice(0, answered);
  const results = calls.map(({ id, name }) => ({ type: "tool_result", tool_use_id: id, content: `${name} is done` }));
  return [...messages, { role: "assistant", content: reply.content }, { role: "user", content: results }];
}

test("each exchange is told: turn, messages, tools, results, and what the model answered", () => {
  const { ask, told, trial } = trying(script(oneTurn));
  const first = message(ask([PROMPT]));
  ask(after([PROMPT], first));
  trial.end();
  const offered = ["read_logs", "restart_service"];
  expect(told).toEqual([
    { event: "request", conversation: 1, turn: 1, messages: 1, tools: offered, results: [] },
    expect.objectContaining({
      ...{ event: "reply", status: 200, kind: "message", stopReason: "tool_use", final: false },
      text: expect.stringContaining("I will look."),
      calls: [{ name: "read_logs", input: { service: "api" } }],
    }),
    {
      ...{ event: "request", conversation: 1, turn: 2, messages: 3, tools: offered },
      results: [{ name: "read_logs", isError: false, content: "read_logs is done" }],
    },
    expect.objectContaining({ event: "reply", stopReason: "end_turn", calls: [], final: true }),
    { event: "found", why: "over", findings: [] },
    {
      event: "end",
      conversations: 1,
      counts: { callModel: 2, executeTool: 1, httpRequests: 2, rejected: 0, faulted: 0 },
    },
  ]);
});

test("a result is told once, an error as one, and a list of blocks as its text", () => {
  const { ask, of } = trying(script(twoAtOnce));
  const first = message(ask([PROMPT]));
  const [a, b] = first.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  const results = [
    { type: "tool_result", tool_use_id: a, content: "disk full", is_error: true },
    { type: "tool_result", tool_use_id: b, content: [{ type: "text", text: "fine" }] },
  ];
  const messages = [PROMPT, { role: "assistant", content: first.content }, { role: "user", content: results }];
  ask(messages);
  ask(messages);
  expect(of("request").map((request) => request.results)).toEqual([
    [],
    [
      { name: "read_logs", isError: true, content: "disk full" },
      { name: "read_logs", isError: false, content: "fine" },
    ],
    [],
  ]);
});

test("what goes wrong is named when the script is through, once", () => {
  const { ask, of, trial } = trying(script(twoAtOnce));
  const first = message(ask([PROMPT]));
  expect(ask(after([PROMPT], first, 1))?.status).toBe(400);
  expect(of("reply").at(-1)).toMatchObject({ kind: "rejection", error: { type: "invalid_request_error" } });
  expect(of("found")).toEqual([]);
  ask(after([PROMPT], first));
  expect(of("found")).toEqual([
    { event: "found", why: "over", findings: [expect.objectContaining({ id: "dropped-tool-result", turn: 1 })] },
  ]);
  trial.end();
  expect(of("found")).toHaveLength(1);
});

test("after the end a history of its own begins anew, and one that goes on does not", () => {
  const { ask, of } = trying(script(oneTurn));
  const first = message(ask([PROMPT]));
  const last = message(ask(after([PROMPT], first)));
  ask([...after([PROMPT], first), { role: "assistant", content: last.content }, { role: "user", content: "And now?" }]);
  ask([PROMPT]);
  expect(of("request").map(({ conversation, turn }) => [conversation, turn])).toEqual([
    ...[1, 2, 3].map((turn) => [1, turn]),
    [2, 1],
  ]);
  expect(of("reply").at(-1)).toMatchObject({ stopReason: "tool_use" });
});

test("a program that was mended and is run again is not blamed for what it did before", () => {
  const { ask, of } = trying(script(twoAtOnce));
  ask(after([PROMPT], message(ask([PROMPT])), 1));
  const first = message(ask([PROMPT]));
  ask(after([PROMPT], first));
  expect(of("found").map(({ why, findings }) => [why, findings.map(({ id }) => id)])).toEqual([
    ["left", ["dropped-tool-result"]],
    ["over", []],
  ]);
  expect(of("request").map(({ conversation }) => conversation)).toEqual([1, 1, 2, 2]);
});

test("a first request that was rejected and is tried in another way is a conversation of its own; the same again is not", () => {
  const { ask, of } = trying(script(noCall));
  for (const max of [undefined, undefined, 64]) ask([PROMPT], { max_tokens: max });
  expect(of("request").map(({ conversation }) => conversation)).toEqual([1, 1, 2]);
});

test("a failed attempt that is made again, or a reply that was cut short, belongs to the same conversation", () => {
  const { ask, of } = trying(script([{ fault: 529 }, { text: "It {{nonce}}", stopReason: "max_tokens" }, ...oneTurn]));
  for (let i = 0; i < 3; i++) ask([PROMPT]);
  expect(of("request").map(({ conversation, turn }) => [conversation, turn])).toEqual([
    [1, 1],
    [1, 1],
    [1, 2],
  ]);
  expect(of("reply").map(({ kind, stopReason }) => [kind, stopReason])).toEqual([
    ["fault", null],
    ["message", "max_tokens"],
    ["message", "tool_use"],
  ]);
});

test("a loop that forgets its history is stopped and named; its next run is answered", () => {
  const { ask, of, post } = trying(script(oneTurn));
  let answered = 0;
  while (ask([PROMPT]) !== null) answered += 1;
  expect(of("found")).toEqual([
    { event: "found", why: "stopped", findings: [expect.objectContaining({ id: "restarted-conversation" })] },
  ]);
  expect(of("reply")).toHaveLength(answered + 1);
  expect(post("/v1/models", {}, "GET")?.status).toBe(404);
  expect(ask([PROMPT])?.status).toBe(200);
  expect(of("request").at(-1)).toMatchObject({ conversation: 2, turn: 1 });
});

test("a conversation without end goes on until enough has been seen", () => {
  const { ask, of } = trying(endless);
  let messages: unknown[] = [PROMPT];
  for (let answer = ask(messages); answer !== null; answer = ask(messages)) messages = after(messages, message(answer));
  expect(of("found")).toMatchObject([{ why: "stopped", findings: [{ id: "no-iteration-cap" }] }]);
  expect(ask(messages)).toBeNull();
});

test("a count and a path that does not exist are told, and are no turn", () => {
  const { post, told } = trying(script(noCall));
  post("/v1/messages/count_tokens", { model: "claude-sonnet-5-5", messages: [PROMPT] });
  post("/v1/complete", {});
  expect(told).toEqual([
    { event: "count", status: 200 },
    { event: "elsewhere", method: "POST", path: "/v1/complete" },
  ]);
});

test("a conversation that was left is told at the end; where nothing was asked there is nothing to tell", () => {
  const left = trying(script(oneTurn));
  left.ask([PROMPT]);
  left.trial.end();
  expect(left.told.slice(-2)).toMatchObject([
    { event: "found", why: "left", findings: [] },
    { event: "end", conversations: 1, counts: { callModel: 1, executeTool: 0 } },
  ]);
  const unused = trying(script(oneTurn));
  unused.trial.end();
  expect(unused.told).toMatchObject([{ event: "end", conversations: 0 }]);
});

test("anything may be sent", () => {
  const { trial, told } = trying(script(noCall));
  const bodies = [
    "",
    "null",
    "[]",
    '{"messages":7}',
    '{"messages":[null]}',
    '{"thread":{"type":"continue"}}',
    "\u0000",
  ];
  for (const body of bodies) {
    const answer = trial.answer({ method: "POST", path: "/v1/messages", headers: {}, body });
    expect(answer?.status).toBeGreaterThanOrEqual(400);
  }
  expect(told.some(({ event }) => event === "request")).toBe(true);
});
