import { expect, test } from "vitest";
import { cutShort, wayOut } from "./way-out.ts";

const ASK = "let r = await callModel({});";

/** The text of the line that ended a function with this body. */
function out(
  lines: readonly string[],
  { stopReason = "tool_use", value = "x" as unknown, by = wayOut } = {},
): string | null {
  const text = ["export async function runAgent(userInput, tools) {", ...lines, "}"].join("\n");
  const spot = by({ files: [{ name: "agent.ts", text }] }, { stopReason, value });
  return spot === null ? null : (text.split("\n")[spot.line - 1] ?? null);
}

test("the one return", () => {
  expect(out([ASK, "return r.content;"])).toBe("return r.content;");
  expect(
    out(["for (;;) {", ASK, "if (r.stop_reason !== 'tool_use')", "return r;", "}"], { stopReason: "end_turn" }),
  ).toBe("return r;");
  expect(out([ASK, "const f = () => { return 1; };", "return f(r);"])).toBe("return f(r);");
});

test("of several the one that may have given the value", () => {
  const lines = ["for (let i = 0; i < 9; i++) {", ASK, "if (isDone(r))", "return text(r);", "}", "return 'gave up';"];
  expect(out(lines)).toBe("return text(r);");
  expect(out(lines, { value: "gave up" })).toBeNull();
  expect(out([ASK, "if (isDone(r))", "return r;", "return;"])).toBe("return r;");
});

test("the return in a loop that its condition would not have ended", () => {
  const lines = [
    ASK,
    "while (r.stop_reason === 'tool_use') {",
    "if (isText(r))",
    "return r.content;",
    "}",
    "return r;",
  ];
  expect(out(lines)).toBe("return r.content;");
  expect(out(lines, { stopReason: "end_turn" })).toBeNull();
});

test("the return that the stop reason does not rule out", () => {
  const lines = [
    "for (;;) {",
    ASK,
    "if (r.stop_reason === 'end_turn')",
    "return r;",
    "if (isOdd(r))",
    "return r.content;",
    "}",
  ];
  expect(out(lines)).toBe("return r.content;");
  expect(out(lines, { stopReason: "end_turn" })).toBeNull();
  expect(out(["if (r.stop_reason === 'end_turn') {", ASK, "return r;", "}"])).toBe("return r;");
});

test("the break of a loop that nothing else ends", () => {
  expect(out([ASK, "while (r.stop_reason === 'tool_use') {", "run(r);", "break;", "}", "return r;"])).toBe("break;");
  expect(
    out(["for (;;) {", ASK, "if (r.stop_reason !== 'tool_use') break;", "if (isText(r))", "break;", "}", "return r;"]),
  ).toBe("break;");
  expect(
    out([ASK, "while (true) {", "for (const b of r.content) {", "break;", "}", "if (x)", " break;", "}", "return r;"]),
  ).toBe(" break;");
});

test("the return, where the loop may have ended in more than one way", () => {
  const ending = (loop: string) => out([ASK, `${loop} {`, "if (isText(r)) break;", "}", "return r;"]);
  expect(ending("while (isGoing(r))")).toBe("return r;");
  expect(ending("for (let i = 0; i < 9; i++)")).toBe("return r;");
  expect(out([ASK, "for (;;) {", "if (a) break;", "if (b) break;", "}", "return r;"])).toBe("return r;");
});

test("not where it is not plain, or the function does not ask the model", () => {
  expect(out([ASK, "if (isText(r)) return a;", "return b;"])).toBeNull();
  expect(out([ASK, "use(r);"])).toBeNull();
  expect(out(["return later;"])).toBeNull();
  expect(out(["const step = async (m) => { await callModel({ m }); };", "return step([]);"])).toBeNull();
  expect(wayOut({ files: [{ name: "agent.ts", text: "const x = 1;" }] }, { stopReason: null, value: null })).toBeNull();
});

test("what ended a loop too soon: its own condition, or the if where a loop belongs", () => {
  const early = (...lines: string[]) => out([ASK, ...lines, "return r;"], { by: cutShort });
  expect(early("while (isGoing(r)) {", "r = await callModel({});", "}")).toBe("while (isGoing(r)) {");
  expect(early("for (let i = 0; i < 3; i++) {", "r = await callModel({});", "}")).toBe("for (let i = 0; i < 3; i++) {");
  expect(early("do {", "r = await callModel({});", "} while (isGoing(r));")).toBe("} while (isGoing(r));");
  expect(early("if (r.stop_reason === 'tool_use') {", "r = await callModel({});", "}")).toBe(
    "if (r.stop_reason === 'tool_use') {",
  );
});

test("the way out, where more than the condition can have ended the loop", () => {
  const early = (...lines: string[]) => out([ASK, ...lines, "return r;"], { by: cutShort });
  expect(early("while (isGoing(r)) {", "if (isText(r)) break;", "r = await callModel({});", "}")).toBe("return r;");
  expect(early("while (true) {", "r = await callModel({});", "if (isText(r))", "break;", "}")).toBe("break;");
  expect(early("while (isGoing(r)) {", "use(r);", "}")).toBe("return r;");
});
