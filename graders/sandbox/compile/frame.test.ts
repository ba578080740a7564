import { expect, test } from "vitest";
import { codeFrame } from "./frame.ts";

const source = { files: [{ name: "agent.ts", text: "one\ntwo\r\nthree\rfour\nfive\nsix" }] };

test("shows the lines round a spot", () => {
  expect(codeFrame(source, { file: "agent.ts", line: 3, column: 2 })).toEqual({
    file: "agent.ts",
    first: 1,
    line: 3,
    column: 2,
    lines: ["one", "two", "three", "four", "five"],
  });
  expect(codeFrame(source, { file: "agent.ts", line: 1, column: 1 }, 1)).toMatchObject({
    first: 1,
    lines: ["one", "two"],
  });
  expect(codeFrame(source, { file: "agent.ts", line: 6, column: 1 }, 1)).toMatchObject({
    first: 5,
    lines: ["five", "six"],
  });
});

test("shows nothing for a file or a line that is not there", () => {
  expect(codeFrame(source, { file: "other.ts", line: 1, column: 1 })).toBeNull();
  expect(codeFrame(source, { file: "agent.ts", line: 7, column: 1 })).toBeNull();
  expect(codeFrame(source, { file: "agent.ts", line: 0, column: 1 })).toBeNull();
});

test("cuts long lines and keeps the spot in view", () => {
  const text = `${"x".repeat(500)}HERE${"y".repeat(500)}`;
  const long = { files: [{ name: "a.ts", text: `short\n${text}` }] };
  const frame = codeFrame(long, { file: "a.ts", line: 2, column: 501 });
  const line = frame?.lines[1] ?? "";
  expect(line.slice((frame?.column ?? 0) - 1)).toMatch(/^HEREy+…$/);
  expect(line.length).toBeLessThanOrEqual(122);
  expect(line.startsWith("…x")).toBe(true);
  expect(codeFrame(long, { file: "a.ts", line: 2, column: 5 })).toMatchObject({
    column: 5,
    lines: ["short", `${"x".repeat(120)}…`],
  });
});

test("however far to the right the spot is, the lines round it are shown from their beginning", () => {
  const text = `while (asked(response)) {\n${" ".repeat(4)}${"x".repeat(500)}HERE\n}`;
  const frame = codeFrame({ files: [{ name: "a.ts", text }] }, { file: "a.ts", line: 2, column: 505 });
  expect([frame?.lines[0], frame?.lines[2]]).toEqual(["while (asked(response)) {", "}"]);
  expect(frame?.lines[1]?.slice((frame?.column ?? 0) - 1)).toBe("HERE");
});

test("lets no control character through and moves no column", () => {
  const text = "a\u001b[2J\tb\u202ec\u0007d";
  const frame = codeFrame({ files: [{ name: "a.ts", text }] }, { file: "a.ts", line: 1, column: 10 });
  expect(frame).toMatchObject({ column: 10, lines: ["a [2J b c d"] });
});

test("cuts no character in half", () => {
  const text = "😀".repeat(200);
  for (const column of [1, 122, 123, 251]) {
    const [line = ""] = codeFrame({ files: [{ name: "a.ts", text }] }, { file: "a.ts", line: 1, column })?.lines ?? [];
    expect(line).not.toMatch(/(^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF]($|[^\uDC00-\uDFFF])/);
  }
});
