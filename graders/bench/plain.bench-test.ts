/**
 * The usual way to grade an agent loop: one vitest file, MSW in the same process, four scripted conversations, counts
 * compared. No sandbox, no strict model, no diagnosis: the least that a plain test does, so that the comparison is fair.
 */
import Anthropic from "@anthropic-ai/sdk";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

interface Reply {
  content: object[];
  stop_reason: string;
}

let script: Reply[] = [];
let modelCalls = 0;
const executeTool = vi.fn(async (name: string) => `${name} done`);

vi.mock("#harness", () => ({
  callModel: (request: object) =>
    new Anthropic({ apiKey: "test" }).messages.create({
      model: "claude-sonnet-5-5",
      max_tokens: 1024,
      ...request,
    } as Anthropic.MessageCreateParamsNonStreaming),
  executeTool,
}));

const server = setupServer(
  http.post("https://api.anthropic.com/v1/messages", () => {
    const reply = script[modelCalls];
    modelCalls += 1;
    return HttpResponse.json({ id: `msg_${modelCalls}`, type: "message", role: "assistant", usage: {}, ...reply });
  }),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
beforeEach(() => {
  modelCalls = 0;
  executeTool.mockClear();
});

const use = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
const calls = (...blocks: object[]): Reply => ({ content: blocks, stop_reason: "tool_use" });
const done: Reply = { content: [{ type: "text", text: "done" }], stop_reason: "end_turn" };

const CONVERSATIONS: [string, Reply[], number][] = [
  ["no call", [done], 0],
  ["one call", [calls(use("a", "restart_service")), done], 1],
  ["two calls in a turn", [calls(use("a", "read_logs"), use("b", "read_logs")), done], 2],
  ["three round trips", [calls(use("a", "restart_service")), calls(use("b", "read_logs")), done], 2],
];

test.each(CONVERSATIONS)("%s", async (_name, replies, toolCalls) => {
  script = replies;
  const { runAgent } = await import("../../solutions/2.3-write-the-loop/agent.ts");
  const answer = await runAgent("Restart the service", []);
  expect(modelCalls).toBe(replies.length);
  expect(executeTool).toHaveBeenCalledTimes(toolCalls);
  expect(JSON.stringify(answer)).toContain("done");
});
