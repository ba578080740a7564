import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiMessage } from "../trace/api.ts";
import { endlessScripts, scripts, seeds, toolScripts } from "./generate.ts";
import { answer } from "./model.ts";
import { bodyOf, playHonestly, promptOf, rehearse, resultsOf } from "./rehearsal.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario, type ScenarioFile } from "./scenario-file.ts";

const open = (file: ScenarioFile, seed = "s") => openScenario(file, { name: "t", seed, lang: "en" });
const script = (...replies: unknown[]) =>
  open(
    parseScenario(
      {
        title: "t",
        userInput: "go",
        tools: ["look", "fix"].map((name) => ({ name, description: name, input_schema: { type: "object" } })),
        replies,
      },
      "t.json",
    ),
  );
const call = (tool = "look", input: object = {}) => ({ tool, input, does: { returns: "done {{nonce}}" } });
const said = (stopReason?: string) => ({ text: "text {{nonce}}", ...(stopReason && { stopReason }) });
const callIds = (message: ApiMessage) =>
  message.content.filter((block) => block.type === "tool_use").map((block) => block.id);
const pushed = (message: ApiMessage | null) => ({ role: "assistant", content: message!.content });

test("an honest loop gets to the last reply with the very counts expected", () => {
  fc.assert(
    fc.property(scripts, seeds, (file, seed) => {
      const scenario = open(file, seed);
      const rehearsal = rehearse(scenario);
      const { last, messages } = playHonestly(rehearsal, scenario);
      expect(last).toMatchObject({ kind: "message", entry: scenario.length - 1, final: true });
      const replies = rehearsal.trace.filter((event) => event.type === "reply");
      expect(replies.filter((reply) => reply.kind === "rejection")).toEqual([]);
      const requests = rehearsal.trace.filter((event) => event.type === "request");
      expect({
        callModel: replies.filter((reply) => reply.message).length,
        executeTool: rehearsal.trace.filter((event) => event.type === "tool-call").length,
        messages: requests.at(-1)?.history.length,
      }).toEqual(scenario.expected);
      expect(messages.length).toBeGreaterThanOrEqual(scenario.expected!.messages);
      // Every entry is given once, in order.
      expect(replies.map((reply) => reply.entry)).toEqual(replies.map((_, i) => i));
    }),
  );
});

test("a script that never ends never ends, and asks for something at every turn", () => {
  fc.assert(
    fc.property(endlessScripts, (file) => {
      const scenario = open(file);
      fc.pre(file.replies.slice(file.endless?.from).some((reply) => !("fault" in reply)));
      const rehearsal = rehearse(scenario);
      const { last } = playHonestly(rehearsal, scenario, 40);
      expect(last).toMatchObject({ entry: 39, final: false });
    }),
    { numRuns: 30 },
  );
});

test("a dropped result is refused, whichever it is, and costs no turn", () => {
  fc.assert(
    fc.property(toolScripts, fc.nat(), (file, n) => {
      const scenario = open(file);
      const rehearsal = rehearse(scenario);
      const first = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
      const results = resultsOf(rehearsal, scenario, first.message!);
      const dropped = n % results.length;
      const history = (content: unknown[]) =>
        bodyOf(scenario, [promptOf(scenario), pushed(first.message), { role: "user", content }]);

      const refused = rehearsal.send(history(results.toSpliced(dropped, 1, { type: "text", text: "and?" })));
      expect(refused).toMatchObject({ kind: "rejection", status: 400, message: null, entry: null, final: false });
      const missing = callIds(first.message!).slice(dropped);
      expect(refused.error?.message).toContain(`immediately after: ${missing.join(", ")}.`);
      expect(rehearsal.send(history(results))).toMatchObject({ kind: "message", entry: 1 });
    }),
  );
});

test("a history that restarts gets the first turn again, with fresh ids", () => {
  fc.assert(
    fc.property(toolScripts, (file) => {
      const scenario = open(file);
      const rehearsal = rehearse(scenario);
      const first = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
      playHonestly(rehearsal, scenario);
      const again = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
      expect(again).toMatchObject({ entry: 0, next: 1 });
      expect(again.message?.id).not.toBe(first.message?.id);
      expect(new Set([...callIds(first.message!), ...callIds(again.message!)]).size).toBe(
        2 * callIds(first.message!).length,
      );
    }),
  );
});

test("a trimmed history goes on where it is", () => {
  const scenario = script(...Array(5).fill({ calls: [call()] }), said());
  const rehearsal = rehearse(scenario);
  const messages: unknown[] = [promptOf(scenario)];
  for (let turn = 0; turn < 5; turn++) {
    const { message, entry } = rehearsal.send(bodyOf(scenario, [messages[0], ...messages.slice(1).slice(-2)]));
    expect(entry).toBe(turn);
    messages.push(pushed(message), { role: "user", content: resultsOf(rehearsal, scenario, message!) });
  }
  expect(rehearsal.send(bodyOf(scenario, messages.slice(-2)))).toMatchObject({ entry: 5, final: true });
});

test("a history that keeps only the texts goes on too", () => {
  const scenario = script({ ...said(), calls: [call()] }, { ...said(), calls: [call()] }, said());
  const rehearsal = rehearse(scenario);
  const messages: unknown[] = [promptOf(scenario)];
  for (const expected of [0, 1, 2]) {
    const { message, entry } = rehearsal.send(bodyOf(scenario, messages));
    expect(entry).toBe(expected);
    const text = message?.content.find((block) => block.type === "text")?.text;
    messages.push({ role: "assistant", content: `I said: ${text}` }, { role: "user", content: "go on" });
  }
});

test("a later conversation about the same things does not pull an earlier one back", () => {
  const scenario = script({ ...said(), calls: [call()] }, { ...said(), calls: [call()] }, said());
  const rehearsal = rehearse(scenario);
  const messages: unknown[] = [promptOf(scenario)];
  for (let turn = 0; turn < 2; turn++) {
    const { message } = rehearsal.send(bodyOf(scenario, messages));
    messages.push(pushed(message), { role: "user", content: resultsOf(rehearsal, scenario, message!) });
  }
  expect(rehearsal.send(bodyOf(scenario, [promptOf(scenario)])).entry).toBe(0);
  expect(rehearsal.send(bodyOf(scenario, messages)).entry).toBe(2);
});

test("a history answered by a complete reply gets that reply again, with fresh ids", () => {
  const scenario = script({ calls: [call()] }, said());
  const rehearsal = rehearse(scenario);
  const body = bodyOf(scenario, [promptOf(scenario)]);
  const replies = [rehearsal.send(body), rehearsal.send(body), rehearsal.send(body)];
  expect(replies.map((reply) => reply.entry)).toEqual([0, 0, 0]);
  expect(new Set(replies.flatMap((reply) => callIds(reply.message!))).size).toBe(3);
});

test("after its last entry a script says the last reply again, with a fresh id", () => {
  const scenario = script({ calls: [call()] }, said());
  const rehearsal = rehearse(scenario);
  const { last, messages } = playHonestly(rehearsal, scenario);
  const more = rehearsal.send(bodyOf(scenario, [...messages, pushed(last.message), { role: "user", content: "and?" }]));
  expect(more).toMatchObject({ kind: "message", entry: 1, next: 2, final: true });
  expect(more.message?.content).toEqual(last.message?.content);
  expect(more.message?.id).not.toBe(last.message?.id);
});

test("a fault is consumed by one attempt, and only once", () => {
  const scenario = script({ fault: 529, retryAfterMs: 20 }, { calls: [call()] }, { fault: 500 }, said());
  const rehearsal = rehearse(scenario);
  const body = bodyOf(scenario, [promptOf(scenario)]);
  const fault = rehearsal.send(body);
  expect(fault).toMatchObject({ kind: "fault", status: 529, entry: 0, next: 1, complete: false, message: null });
  expect(fault.error).toEqual({ type: "overloaded_error", message: "Overloaded" });
  expect(fault.headers).toMatchObject({ "retry-after": "1", "retry-after-ms": "20" });
  expect(rehearsal.send(body).entry).toBe(1);
  expect(rehearsal.send(body).entry).toBe(1);
  const { last } = playHonestly(rehearsal, scenario);
  expect(last.entry).toBe(3);
  const faults = rehearsal.trace.filter((event) => event.type === "reply" && event.kind === "fault");
  expect(faults).toHaveLength(2);
});

test.each(["max_tokens", "pause_turn", "refusal"])(
  "after %s the next entry follows, on the same history and on one that holds it",
  (reason) => {
    const scenario = script({ calls: [call()] }, said(reason), said(reason), said());
    for (const keep of [false, true]) {
      const rehearsal = rehearse(scenario);
      const first = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
      const messages: unknown[] = [
        promptOf(scenario),
        pushed(first.message),
        { role: "user", content: resultsOf(rehearsal, scenario, first.message!) },
      ];
      const cut = rehearsal.send(bodyOf(scenario, messages));
      expect(cut).toMatchObject({ entry: 1, next: 2, complete: false, final: false });
      expect(cut.message?.stop_reason).toBe(reason);
      if (keep) messages.push(pushed(cut.message), { role: "user", content: "go on" });
      expect(rehearsal.send(bodyOf(scenario, messages)).entry).toBe(2);
      expect(rehearsal.send(bodyOf(scenario, messages)).entry).toBe(3);
      expect(rehearsal.send(bodyOf(scenario, messages)).entry).toBe(3);
    }
  },
);

test("a conversation that is played again meets its incomplete replies again", () => {
  const scenario = script({ calls: [call()] }, said("max_tokens"), said());
  const rehearsal = rehearse(scenario);
  playHonestly(rehearsal, scenario);
  playHonestly(rehearsal, scenario);
  const entries = rehearsal.trace.flatMap((event) => (event.type === "reply" ? [event.entry] : []));
  expect(entries).toEqual([0, 1, 2, 0, 1, 2]);
});

test("a paused turn can be sent back as it is, and ends in a server tool at work", () => {
  const scenario = script(said("pause_turn"), said());
  const rehearsal = rehearse(scenario);
  const paused = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
  expect(paused.message?.content.at(-1)).toMatchObject({
    type: "server_tool_use",
    id: expect.stringMatching(/^srvtoolu_01/),
  });
  expect(rehearsal.send(bodyOf(scenario, [promptOf(scenario), pushed(paused.message)]))).toMatchObject({
    kind: "message",
    entry: 1,
  });
});

test("without the tool it needs the model answers in text, and the script stands still", () => {
  const scenario = script({ calls: [call("look"), call("fix")] }, said());
  const rehearsal = rehearse(scenario);
  const body = bodyOf(scenario, [promptOf(scenario)]);
  const offers = [
    { tools: undefined },
    { tools: [] },
    { tool_choice: { type: "none" } },
    { tools: [scenario.tools[0]] },
  ];
  const answers = offers.map((offer) => rehearsal.send({ ...body, ...offer }));
  const texts = answers.map(({ message }) =>
    message?.content.map((block) => (block.type === "text" ? block.text : null)),
  );
  for (const given of answers) {
    expect(given).toMatchObject({ kind: "message", entry: null, next: 0, final: false });
    expect(given.message?.stop_reason).toBe("end_turn");
  }
  expect(texts.flat().every((text) => text?.includes("unfinished"))).toBe(true);
  expect(new Set(texts.flat()).size).toBe(offers.length);
  // The tools come back: so does the turn, with that text in the history or without it.
  expect(rehearsal.send(body).entry).toBe(0);
  expect(
    rehearsal.send(bodyOf(scenario, [promptOf(scenario), pushed(answers[0]!.message), promptOf(scenario)])).entry,
  ).toBe(0);
});

test("tools that are lost halfway leave the task unfinished", () => {
  const scenario = script({ calls: [call()] }, { calls: [call()] }, said());
  const rehearsal = rehearse(scenario);
  const first = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
  const messages = [
    promptOf(scenario),
    pushed(first.message),
    { role: "user", content: resultsOf(rehearsal, scenario, first.message!) },
  ];
  expect(rehearsal.send({ ...bodyOf(scenario, messages), tools: undefined })).toMatchObject({ entry: null, next: 1 });
  expect(rehearsal.send(bodyOf(scenario, messages)).entry).toBe(1);
});

test("a tool that is made up needs no offer, as long as there is any", () => {
  const scenario = script({ calls: [{ tool: "reboot", input: {}, invented: true }] }, said());
  const body = bodyOf(scenario, [promptOf(scenario)]);
  expect(rehearse(scenario).send(body).entry).toBe(0);
  expect(rehearse(scenario).send({ ...body, tools: [] }).entry).toBeNull();
});

test("the same run gives the same answers, another seed other ids", () => {
  fc.assert(
    fc.property(scripts, seeds, (file, seed) => {
      const traceOf = (seed: string) => {
        const scenario = open(file, seed);
        const rehearsal = rehearse(scenario);
        playHonestly(rehearsal, scenario);
        return rehearsal.trace;
      };
      expect(traceOf(seed)).toEqual(traceOf(seed));
      const ids = (seed: string) =>
        traceOf(seed).flatMap((event) => (event.type === "reply" && event.message ? [event.message.id] : []));
      expect(ids(seed)).not.toEqual(ids(`${seed}!`));
    }),
    { numRuns: 20 },
  );
});

test("a message has every key of the API, and ids that look like the API's", () => {
  const scenario = script(
    { thinking: "hm {{nonce}}", text: "on it {{nonce}}", calls: [call("look", { deep: { n: 1 } })] },
    said(),
  );
  const { message, headers } = rehearse(scenario).send(bodyOf(scenario, [promptOf(scenario)]));
  expect(message).toEqual({
    id: expect.stringMatching(/^msg_01[0-9A-Za-z]{22}$/),
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [
      { type: "thinking", thinking: expect.stringMatching(/^hm #/), signature: expect.stringMatching(/^\S{100,}$/) },
      { type: "text", text: expect.stringMatching(/^on it #/) },
      {
        ...{ type: "tool_use", id: expect.stringMatching(/^toolu_01[0-9A-Za-z]{22}$/), name: "look" },
        ...{ input: { deep: { n: 1 } }, caller: { type: "direct" } },
      },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: "standard",
      inference_geo: null,
      speed: null,
    },
  });
  expect(headers).toEqual({ "request-id": expect.stringMatching(/^req_011C[0-9A-Za-z]{20}$/) });
});

test("usage grows with the request", () => {
  const scenario = script(said());
  const tokens = (content: string) =>
    rehearse(scenario).send(bodyOf(scenario, [{ role: "user", content }])).message!.usage.input_tokens;
  expect(tokens("a".repeat(4000)) - tokens("a")).toBeGreaterThanOrEqual(999);
  expect(tokens("a".repeat(4000)) - tokens("a")).toBeLessThanOrEqual(1001);
});

test("a refusal and a stop sequence say so in their own fields", () => {
  const refused = rehearse(script(said("refusal")));
  const stopped = rehearse(script(said("stop_sequence")));
  const body = { ...bodyOf(script(said()), [{ role: "user", content: "go" }]), stop_sequences: ["END"] };
  expect(refused.send(body).message).toMatchObject({ stop_details: { type: "refusal" }, stop_sequence: null });
  expect(stopped.send(body).message).toMatchObject({ stop_details: null, stop_sequence: "END" });
});

test("what a caller does to a message does not reach the script", () => {
  const scenario = script({ calls: [call("look", { list: [1] })] }, said());
  const rehearsal = rehearse(scenario);
  const body = bodyOf(scenario, [promptOf(scenario)]);
  const input = rehearsal.send(body).message?.content[0];
  if (input?.type === "tool_use") (input.input as { list: number[] }).list.push(2);
  expect(rehearsal.send(body).message?.content[0]).toMatchObject({ input: { list: [1] } });
});

test("any body is answered", () => {
  const scenario = script({ calls: [call()] }, said());
  const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  const bodies = [null, 3, "x", [], deep, { ...bodyOf(scenario, [promptOf(scenario)]), metadata: deep }];
  for (const body of bodies) expect([200, 400]).toContain(answer(scenario, [], { body }).status);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      answer(scenario, [], { body: { ...bodyOf(scenario, [a]), thread: b } });
      answer(scenario, [], { body: { ...bodyOf(scenario, [{ role: "user", content: a }]), tools: b } });
    }),
  );
});
