import { expect, test } from "vitest";
import { readUp } from "./up.ts";

const line = (message: unknown) => readUp(JSON.stringify(message));

test.each([
  { t: "ready" },
  {
    t: "http",
    run: 1,
    conversation: 0,
    id: 2,
    method: "POST",
    url: "u",
    headers: { a: "b" },
    body: "{}",
    underWay: [1],
    at: "3:4",
  },
  { t: "tool", run: 1, conversation: 0, id: 2, name: "look", input: { a: [1] }, at: null },
  { t: "tool", run: 1, conversation: 0, id: 2, name: "look", input: {}, standIn: "runTool", at: null },
  { t: "print", run: 1, conversation: 0, text: "x\n", droppedLines: 0 },
  { t: "blocked", run: 1, conversation: 0, what: "network", detail: "d", at: null },
  { t: "settled", run: 1, conversation: 0, how: "returned", value: { a: 1 }, error: null },
  { t: "began", run: 1, conversation: 1 },
  { t: "aborted", run: 1, conversation: 0 },
  { t: "exit", run: 1, conversation: 2, code: "0", at: "1:2 30:4" },
  { t: "busy", run: 1, site: 3, cpuMs: 1500, hits: 9, full: true },
  { t: "idle", run: 1, fired: 10_001 },
  { t: "stalled", run: 1 },
  { t: "alive", run: 1 },
  { t: "quiet", run: 1, clean: true },
])("a message of the protocol is read as it is: $t", (message) => {
  expect(line(message)).toEqual(message);
});

test.each([
  ["no JSON", "{"],
  ["no object", "3"],
  ["a list", "[]"],
  ["Node's own handshake", '{"cmd":"NODE_HANDLE_ACK"}'],
  ["a verdict", '{"t":"passed","run":1,"score":100}'],
  ["no run", '{"t":"stalled"}'],
  ["no conversation", '{"t":"tool","run":1,"id":1,"name":"x","input":1}'],
  ["an id that is no number", '{"t":"tool","run":1,"conversation":0,"id":"1","name":"x"}'],
  [
    "a body that is no text",
    '{"t":"http","run":1,"conversation":0,"id":1,"method":"POST","url":"u","headers":{},"body":{}}',
  ],
  ["an unknown refusal", '{"t":"blocked","run":1,"conversation":0,"what":"everything"}'],
  ["a site that is no number", '{"t":"busy","run":1,"site":{},"cpuMs":1,"hits":1}'],
])("anything else is nothing: %s", (_, text) => {
  expect(readUp(text)).toBeNull();
});

test("a place that is no place is left out, and an error's fields are texts whatever was sent", () => {
  expect(line({ t: "tool", run: 1, conversation: 0, id: 1, name: "x", input: 1, at: "../x:1:2" })).toMatchObject({
    at: null,
  });
  expect(line({ t: "uncaught", run: 1, conversation: 0, error: { name: {}, message: 5, stack: [] } })).toMatchObject({
    error: { name: "", message: "", stack: "", code: null, permission: null },
  });
});
