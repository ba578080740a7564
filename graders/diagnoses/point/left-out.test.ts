import { expect, test } from "vitest";
import { cutOff, passedOver, remembered } from "./left-out.ts";

const sourceOf = (text: string) => ({ files: [{ name: "agent.ts", text }] });
/** The text of the line that is pointed at. */
const told = (point: typeof passedOver, text: string) => {
  const spot = point(sourceOf(text));
  return spot === null ? null : (text.split("\n")[spot.line - 1] ?? null);
};
const RUN = "out.push(await executeTool(call.name, call.input));";
const each = (...lines: string[]) => ["for (const call of calls) {", ...lines, "}"].join("\n");

test("a break of the loop that runs the tools, and no other", () => {
  expect(told(passedOver, each(RUN, "break;"))).toBe("break;");
  expect(told(passedOver, each("if (late)", "break;", RUN))).toBe("break;");
  expect(told(passedOver, each("for (;;) {", RUN, "break;", "}"))).toBeNull();
  expect(told(passedOver, each("use(call);", "break;"))).toBeNull();
  expect(told(passedOver, each(RUN, "if (a) break;", "if (b) break;"))).toBeNull();
});

test("a continue that leaves no result behind", () => {
  expect(told(passedOver, each("if (isLate(call)) {", "continue;", "}", RUN))).toBe("continue;");
  expect(told(passedOver, each("if (call.type !== 'tool_use') continue;", RUN))).toBeNull();
  const answered = "results.push({ type: 'tool_result', tool_use_id: call.id, is_error: true });";
  expect(told(passedOver, each("if (isLate(call)) {", answered, "continue;", "}", RUN))).toBeNull();
});

test("a slice of the list of calls, and not of what a tool gave back", () => {
  expect(told(passedOver, each(RUN).replace("of calls", "of calls.slice(0, 2)"))).toContain("calls.slice");
  expect(told(passedOver, "await Promise.all(calls.slice(0, 1).map((c) => executeTool(c.name, c.input)));")).toContain(
    "slice",
  );
  expect(told(passedOver, each(RUN, "out.slice(0, 5);"))).toBeNull();
});

test("a tool that is run only where its result is not known yet", () => {
  const call = "await executeTool(name, input)";
  expect(told(remembered, `let out;\nif (!known.has(key)) known.set(key, ${call});`)).toContain("known.has");
  expect(told(remembered, `known[key] ??= ${call};`)).toContain("??=");
  expect(told(remembered, `const out = known.get(key) ?? (${call});`)).toContain("known.get");
  expect(told(remembered, `const out = ${call};`)).toBeNull();
  expect(told(remembered, "const out = a ?? b;")).toBeNull();
});

test("a text that is cut off at a length", () => {
  expect(told(cutOff, "const a = 1;\nconst content = text.slice(0, 20);")).toContain("text.slice");
  expect(told(cutOff, "text.substring(0, LIMIT);")).toContain("substring");
  expect(told(cutOff, "text.slice(2); list.slice(-3); messages.slice(0);")).toBeNull();
});
