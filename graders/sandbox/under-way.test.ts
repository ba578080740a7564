/** A request says which tools had been begun and had not come back when it was made. */
import { expect, test } from "vitest";
import { openLab, scenarioOf } from "./testing/lab.ts";

const lab = openLab();

const look = (at: string, takesMs: number) => ({
  tool: "look",
  input: { at },
  does: { returns: "seen {{nonce}}", takesMs },
});
const twoLooks = (takesMs: number) =>
  scenarioOf({ replies: [{ calls: [look("a", takesMs), look("b", takesMs)] }, { text: "all is well {{nonce}}" }] });

/** Plays a body that has the first reply, and what it sends then. */
async function underWayIn(code: string, takesMs: number) {
  const text = `import { callModel, executeTool } from "#harness";
export async function runAgent(userInput: string, tools: any) {
  const messages: any[] = [{ role: "user", content: userInput }];
  const { content } = await callModel({ messages, tools });
  const calls: any[] = content.filter(({ type }) => type === "tool_use");
  const results: any[] = [];
  ${code}
  messages.push({ role: "assistant", content }, { role: "user", content: results });
  await callModel({ messages, tools }).catch(() => {});
}
`;
  const run = await lab.run(text, twoLooks(takesMs));
  return run.trace.flatMap((event) => (event.type === "request" ? [event.underWay ?? []] : []));
}

test.each([0, 40])("none of those that were waited for, however long they took (%i ms)", async (takesMs) => {
  const code = "for (const { name, input } of calls) await executeTool(name, input);";
  expect(await underWayIn(code, takesMs)).toEqual([[], []]);
});

test.each([0, 40])("those that nobody waited for (%i ms)", async (takesMs) => {
  const code = "calls.forEach(async ({ name, input }) => { results.push(await executeTool(name, input)); });";
  expect(await underWayIn(code, takesMs)).toEqual([[], [1, 2]]);
});

test("one that nobody waited for, while time went by", async () => {
  const code = `void executeTool(calls[1].name, calls[1].input);
  await new Promise((resolve) => setTimeout(resolve, 10));`;
  expect(await underWayIn(code, 40)).toEqual([[], [1]]);
  expect(await underWayIn(code, 5)).toEqual([[], []]);
});

test("none that its caller has given up", async () => {
  const code = `const { toolkit } = await import("#harness");
  await toolkit.look(calls[0].input, { signal: AbortSignal.timeout(5) }).catch(() => {});`;
  expect(await underWayIn(code, 40)).toEqual([[], []]);
});
