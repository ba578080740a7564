import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiMessage, ToolDefinition } from "../trace/api.ts";
import { createRandom } from "./seed.ts";
import { breakOff, type StreamEvent, streamOf } from "./stream.ts";

const tool: ToolDefinition = {
  name: "write",
  description: "writes",
  input_schema: { type: "object", properties: { path: {}, content: {} }, required: ["path", "content"] },
};

const messageOf = (content: unknown[], stop_reason = "tool_use") =>
  ({
    ...{ id: "msg_1", type: "message", role: "assistant", model: "m", content, stop_reason, stop_sequence: null },
    ...{ stop_details: null, container: null },
    usage: { input_tokens: 5, output_tokens: 40, server_tool_use: null, output_tokens_details: null },
  }) as unknown as ApiMessage;
const callOf = (input: unknown, name = "write") => ({ type: "tool_use", id: "toolu_1", name, input });
const eventsOf = (message: ApiMessage, seed = "s") => streamOf(message, [tool], createRandom(seed));
const deltasOf = (events: readonly StreamEvent[], key: string, index = 0) =>
  events.flatMap((event) => {
    const delta = event.delta as Record<string, string> | undefined;
    return event.index === index && delta?.[key] !== undefined ? [delta[key]!] : [];
  });

/** Values whose JSON has escapes, characters of two code units, and lengths of every size. */
const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "ñ", "🛰️", "{", "}", ","), maxLength: 200 });
const input = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text, { maxLength: 3 })));

test("the order of the events, and what the first and the last of them say", () => {
  const events = eventsOf(
    messageOf([
      { type: "thinking", thinking: "", signature: "sig" },
      { type: "redacted_thinking", data: "d" },
      callOf({}),
    ]),
  );
  expect(events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
    "message_start",
    "content_block_start 0",
    "ping",
    "content_block_delta 0",
    "content_block_stop 0",
    "content_block_start 1",
    "content_block_stop 1",
    "content_block_start 2",
    "content_block_delta 2",
    "content_block_stop 2",
    "message_delta",
    "message_stop",
  ]);
  expect(events[0]?.message).toMatchObject({ content: [], stop_reason: null, usage: { output_tokens: 1 } });
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 40 } });
});

test("a message without content is a start and an end", () => {
  expect(eventsOf(messageOf([], "end_turn")).map(({ type }) => type)).toEqual([
    "message_start",
    "message_delta",
    "message_stop",
  ]);
});

test("a call without operands has one delta, and that is empty", () => {
  expect(deltasOf(eventsOf(messageOf([callOf({})])), "partial_json")).toEqual([""]);
});

test("the one signature comes last, after all of the thinking", () => {
  fc.assert(
    fc.property(text, fc.string(), (thinking, seed) => {
      const events = eventsOf(messageOf([{ type: "thinking", thinking, signature: "sig" }]), seed);
      const kinds = events.flatMap(({ delta }) => (delta ? [(delta as { type?: string }).type] : []));
      expect(kinds.slice(0, -1)).toEqual([...kinds.slice(0, -2).fill("thinking_delta"), "signature_delta"]);
      expect(deltasOf(events, "thinking").join("")).toBe(thinking);
    }),
  );
});

test("the pieces of a text and of an input make it up again, and none of them splits a character", () => {
  fc.assert(
    fc.property(text, input, fc.string(), (words, operands, seed) => {
      const events = eventsOf(messageOf([{ type: "text", text: words }, callOf(operands)]), seed);
      const [said, json] = [deltasOf(events, "text", 0), deltasOf(events, "partial_json", 1)];
      expect(said.join("")).toBe(words);
      expect(json[0]).toBe("");
      expect(json.join("")).toBe(Object.keys(operands).length === 0 ? "" : JSON.stringify(operands));
      for (const piece of [...said, ...json]) expect(piece).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});

test("cuts fall inside names, inside values, and inside escapes", () => {
  const ends = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const json = deltasOf(
      eventsOf(messageOf([callOf({ path: 'a"b\n', content: "some text" })]), `${seed}`),
      "partial_json",
    );
    let upTo = "";
    for (const piece of json.slice(1, -1)) {
      upTo += piece;
      if (/\{"[a-z]+$/.test(upTo)) ends.add("name");
      if (upTo.endsWith("\\") && !upTo.endsWith("\\\\")) ends.add("escape");
      if (/"content":"[a-z ]+$/.test(upTo)) ends.add("value");
    }
  }
  expect([...ends].toSorted()).toEqual(["escape", "name", "value"]);
});

test.each(["max_tokens", "model_context_window_exceeded"])(
  "%s in the middle of a call: the block is never closed, and its JSON breaks off after the last value",
  (reason) => {
    fc.assert(
      fc.property(input, fc.string(), (operands, seed) => {
        const events = eventsOf(messageOf([{ type: "text", text: "so" }, callOf(operands)], reason), seed);
        expect(events.filter(({ type }) => type === "content_block_stop").map(({ index }) => index)).toEqual([0]);
        const json = deltasOf(events, "partial_json", 1).join("");
        expect(() => JSON.parse(json)).toThrow();
        const shown = JSON.stringify(operands).slice(0, -1);
        expect(json.startsWith(shown)).toBe(true);
        expect(JSON.parse(`${shown}}`)).toEqual(operands);
        expect(events.at(-2)).toMatchObject({ type: "message_delta", delta: { stop_reason: reason } });
      }),
      { numRuns: 50 },
    );
    const next = (operands: object) =>
      deltasOf(eventsOf(messageOf([callOf(operands)], reason)), "partial_json").join("");
    expect(next({ path: "a" })).toBe('{"path":"a","cont');
    expect(next({})).toBe('{"pa');
    expect(next({ path: "a", content: 3 })).toBe('{"path":"a","content":3,"');
  },
);

test("text that was cut short is closed like any other", () => {
  const events = eventsOf(messageOf([{ type: "text", text: "so" }], "max_tokens"));
  expect(events.map(({ type }) => type)).toContain("content_block_stop");
});

test("a stream that breaks off has begun, is not over, and says what it had said", () => {
  fc.assert(
    fc.property(text, input, fc.string(), (words, operands, seed) => {
      const whole = messageOf([
        { type: "thinking", thinking: words, signature: "sig" },
        { type: "text", text: words },
        callOf(operands),
      ]);
      const events = eventsOf(whole, seed);
      const { sent, begun } = breakOff(events, createRandom(seed));
      expect(sent).toEqual(events.slice(0, sent.length));
      expect(sent.map(({ type }) => type)).toContain("content_block_delta");
      expect(sent.map(({ type }) => type)).not.toContain("message_delta");
      expect(begun).toMatchObject({ id: "msg_1", stop_reason: null });
      const [thought, said, call] = begun.content as { thinking?: string; text?: string; input?: unknown }[];
      expect(words.startsWith(thought?.thinking ?? "")).toBe(true);
      expect(words.startsWith(said?.text ?? "")).toBe(true);
      if (call) expect([operands, {}]).toContainEqual(call.input);
      expect(begun.content.length).toBe(sent.filter(({ type }) => type === "content_block_start").length);
    }),
  );
  const { sent } = breakOff(eventsOf(messageOf([], "end_turn")), createRandom("s"));
  expect(sent.map(({ type }) => type)).toEqual(["message_start"]);
});
