import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bodyOf, playHonestly, promptOf, rehearse, resultsOf } from "./rehearsal.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario } from "./scenario-file.ts";
import { runTool } from "./tools.ts";

const script = (...replies: unknown[]) =>
  openScenario(
    parseScenario(
      {
        title: "t",
        userInput: "go",
        tools: ["look", "fix"].map((name) => ({ name, description: name, input_schema: { type: "object" } })),
        replies: [...replies, { text: "done {{nonce}}" }],
      },
      "t.json",
    ),
    { name: "t", seed: "s", lang: "en" },
  );
const returns = (word: string) => ({ returns: `${word} {{nonce}}` });
const call = (tool: string, input: object, ...does: object[]) => ({
  tool,
  input,
  does: does.length > 0 ? does : [returns("ok")],
});

/** A run up to its first reply. */
function begun(...replies: unknown[]) {
  const scenario = script(...replies);
  const rehearsal = rehearse(scenario);
  const { message } = rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
  const ids = message!.content.filter((block) => block.type === "tool_use").map((block) => block.id);
  const run = (name: string, input: unknown) => {
    const behaviour = rehearsal.run(name, input);
    const text =
      behaviour.kind === "returns" ? behaviour.value : behaviour.kind === "throws" ? behaviour.message : "hangs";
    const last = rehearsal.trace.filter((event) => event.type === "tool-call").at(-1);
    return { says: String(text).split(/ \(?#/)[0], answers: last?.answers ?? null };
  };
  return { scenario, rehearsal, message: message!, ids, run };
}

test("a tool call answers the open tool_use of its name and input", () => {
  const { run, ids } = begun({
    calls: [call("look", { a: 1 }), call("fix", { a: 1 }, returns("fixed")), call("look", { a: 2 }, returns("two"))],
  });
  expect(run("look", { a: 2 })).toEqual({ says: "two", answers: ids[2] });
  expect(run("fix", { a: 1 })).toEqual({ says: "fixed", answers: ids[1] });
  expect(run("look", { a: 1 })).toEqual({ says: "ok", answers: ids[0] });
});

test("of two calls alike the oldest is answered first, and each does its own", () => {
  const { run, ids } = begun({ calls: [call("look", {}, returns("first")), call("look", {}, returns("second"))] });
  expect(run("look", {})).toEqual({ says: "first", answers: ids[0] });
  expect(run("look", {})).toEqual({ says: "second", answers: ids[1] });
  expect(run("look", {})).toEqual({ says: "second", answers: null });
});

test("a call that comes again in a later reply is the one that is answered", () => {
  const cut = { calls: [call("look", { a: 1 }, returns("cut"))], stopReason: "max_tokens" };
  const { scenario, rehearsal, run } = begun(cut, { calls: [call("look", { a: 1 }, returns("whole"))] });
  const again = rehearsal.send(bodyOf(scenario, [promptOf(scenario)])).message!.content;
  const ids = again.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  expect(run("look", { a: 1 })).toEqual({ says: "whole", answers: ids[0] });
});

test("the nth run does the nth thing, and the last is repeated", () => {
  const { run, ids } = begun({
    calls: [call("look", {}, { throws: "busy {{nonce}}" }, returns("ok"), returns("stale"))],
  });
  expect(run("look", {})).toEqual({ says: "busy", answers: ids[0] });
  expect(run("look", {})).toEqual({ says: "ok", answers: null });
  expect(run("look", {})).toEqual({ says: "stale", answers: null });
  expect(run("look", {})).toEqual({ says: "stale", answers: null });
});

test("a call that the script makes again begins with its own first behaviour", () => {
  const { scenario, rehearsal, message, run } = begun(
    { calls: [call("look", {}, { throws: "busy {{nonce}}" })] },
    { calls: [call("look", {}, returns("ok"), returns("ok again"))] },
  );
  const results = resultsOf(rehearsal, scenario, message);
  rehearsal.send(
    bodyOf(scenario, [
      promptOf(scenario),
      { role: "assistant", content: message.content },
      { role: "user", content: results },
    ]),
  );
  expect(run("look", {}).says).toBe("ok");
  expect(run("look", {}).says).toBe("ok again");
  expect(run("look", {}).says).toBe("ok again");
});

test("a reply given twice goes on with the behaviours of the one scripted call", () => {
  const { scenario, rehearsal, run } = begun({ calls: [call("look", {}, returns("first"), returns("second"))] });
  expect(run("look", {}).says).toBe("first");
  rehearsal.send(bodyOf(scenario, [promptOf(scenario)]));
  const again = run("look", {});
  expect(again.says).toBe("second");
  expect(again.answers).not.toBeNull();
});

test("an input nobody asked for, and one not asked for yet, is unexpected", () => {
  const { run } = begun({ calls: [call("look", { a: 1 })] }, { calls: [call("look", { a: 2 })] });
  for (const input of [{ a: 2 }, { a: "1" }, { a: 1, b: 1 }, {}, [1], '{"a":1}', null]) {
    const { says, answers } = run("look", input);
    expect(says).toMatch(/^look: unexpected input /);
    expect(answers).toBeNull();
  }
});

test("an unknown tool throws; a made-up one that was asked for is answered by that", () => {
  const { run, ids } = begun({ calls: [{ tool: "reboot", input: { a: 1 }, invented: true }] });
  expect(run("erase", {})).toEqual({ says: "Unknown tool: erase", answers: null });
  expect(run("reboot", { a: 1 })).toEqual({ says: "Unknown tool: reboot", answers: ids[0] });
});

test("errors nobody scripted have a nonce each", () => {
  const { rehearsal } = begun({ calls: [call("look", {})] });
  const nonces = [rehearsal.run("erase", {}), rehearsal.run("erase", {}), rehearsal.run("look", { x: 1 })].map(
    (behaviour) => {
      if (behaviour.kind !== "throws") throw new Error("it does not throw");
      expect(behaviour.message).toContain(behaviour.nonce);
      return behaviour.nonce;
    },
  );
  expect(new Set(nonces).size).toBe(3);
});

test("a tool without operands may be called with nothing", () => {
  const { run, ids } = begun({ calls: [call("look", {})] });
  expect(run("look", undefined)).toEqual({ says: "ok", answers: ids[0] });
});

test("a call to refuse that is run all the same says that harm was done", () => {
  const { run } = begun({ calls: [{ tool: "fix", input: {}, refuse: true }] });
  expect(run("fix", {}).says).toContain("should have been refused");
});

test("a hanging tool hangs", () => {
  const { run } = begun({ calls: [call("look", {}, { hangs: true })] });
  expect(run("look", {}).says).toBe("hangs");
});

test("the order of an input's keys does not matter, and names of Object's own are no keys", () => {
  const { run, ids } = begun({ calls: [call("look", { a: [1, { b: null }], c: "x" })] });
  expect(run("look", { a: [1, { toString: null }], c: "x" }).answers).toBeNull();
  expect(run("look", { c: "x", a: [1, { b: null }] }).answers).toBe(ids[0]);
});

test("any name and input gets a behaviour", () => {
  const { scenario, rehearsal } = begun({ calls: [call("look", { a: [1] })] });
  const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  const hostile = [deep, { a: deep }, { a: [deep] }, JSON.parse('{"__proto__":[1]}')];
  for (const input of hostile) expect(runTool(scenario, rehearsal.trace, "look", input).answers).toBeNull();
  expect(runTool(scenario, rehearsal.trace, "x".repeat(1e6), {}).behaviour).toMatchObject({ kind: "throws" });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom("look", "__proto__")), fc.jsonValue(), (name, input) => {
      expect(runTool(scenario, rehearsal.trace, name, input).behaviour.kind).toMatch(/^(throws|returns)$/);
    }),
  );
});

test("every call of a conversation is answered by its own run", () => {
  const { scenario } = begun(
    { calls: [call("look", { a: 1 }), call("look", { a: 1 })] },
    { calls: [call("look", { a: 1 }), call("fix", {})] },
  );
  const rehearsal = rehearse(scenario);
  playHonestly(rehearsal, scenario);
  const asked = rehearsal.trace.flatMap((event) => (event.type === "reply" ? (event.message?.content ?? []) : []));
  const answered = rehearsal.trace.flatMap((event) => (event.type === "tool-call" ? [event.answers] : []));
  expect(answered).toEqual(asked.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
});
