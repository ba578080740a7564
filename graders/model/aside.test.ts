import { expect, test } from "vitest";
import { openTestScript } from "../testing/play.ts";
import { script, twoTurns } from "../testing/scripts.ts";
import { ASIDE_WORDS } from "./aside.ts";
import { bodyOf, playHonestly, promptOf, rehearse } from "./rehearsal.ts";

const scenario = { ...openTestScript(), asides: true };

const say = (content: string) => ({ role: "user", content });

/** A request without tools. */
const bare = (...messages: unknown[]) => ({ model: "claude-haiku-5-5", max_tokens: 10, messages });

const typesOf = (trace: readonly { type: string }[]) => trace.map(({ type }) => type);

test("before the conversation it is no turn: the script begins with the request that offers tools", () => {
  const run = rehearse(scenario);
  const { message, status } = run.send(bare(promptOf(scenario)));
  expect(status).toBe(200);
  expect(message).toMatchObject({ model: "claude-haiku-5-5", stop_reason: "end_turn" });
  expect(message?.content).toMatchObject([{ type: "text", text: ASIDE_WORDS.en }]);
  expect(typesOf(run.trace)).toEqual(["aside"]);
  const { last } = playHonestly(run, scenario);
  expect(last.final).toBe(true);
  expect(run.trace.filter(({ type }) => type === "reply")[0]).toMatchObject({ turn: 1, entry: 0 });
});

test("a request whose tools may not be chosen offers none", () => {
  const run = rehearse(scenario);
  run.send({ ...bodyOf(scenario, [promptOf(scenario)]), tool_choice: { type: "none" } });
  expect(typesOf(run.trace)).toEqual(["aside"]);
});

test("after the end it is none either, with the conversation or with words of it, which it gives back marked", () => {
  const run = rehearse(scenario);
  const { last, messages } = playHonestly(run, scenario);
  const said = last.message!.content;
  const text = said.map((block) => (block.type === "text" ? block.text : "")).join("");
  const mark = /#\w{6}/.exec(text)?.[0];
  const turns = run.trace.length;
  const words = JSON.stringify(run.send(bare(say(`Is this true? ${text}`))).message?.content);
  run.send(bare(...messages, { role: "assistant", content: said }, say("Is that so?")));
  expect(mark).toMatch(/^#/);
  expect(words).toContain(mark);
  expect(typesOf(run.trace.slice(turns))).toEqual(["aside", "aside"]);
});

test("in the middle it leaves the script where it is, quoted or not", () => {
  const run = rehearse(scenario);
  const first = run.send(bodyOf(scenario, [promptOf(scenario)]));
  run.send(bare(say(`Sum up: ${JSON.stringify(first.message?.content)}`)));
  expect(typesOf(run.trace)).toEqual(["request", "reply", "aside"]);
});

test.each<[string, (run: ReturnType<typeof rehearse>) => unknown]>([
  ["with tools, though it begins anew", (run) => run.send(bodyOf(scenario, [promptOf(scenario)]))],
  [
    "without tools, with the conversation so far: a last word",
    (run) => {
      const { message } = run.send(bodyOf(scenario, [promptOf(scenario)]));
      const call = message!.content.find((block) => block.type === "tool_use")!;
      const result = { type: "tool_result", tool_use_id: call.id, content: "3" };
      const kept = [promptOf(scenario), { role: "assistant", content: message!.content }];
      run.send({ ...bare(...kept, { role: "user", content: [result] }), tools: [] });
    },
  ],
  ["illegal", (run) => run.send(bare({ role: "user", content: "" }))],
])("a turn stays a turn: %s", (_what, send) => {
  const run = rehearse(scenario);
  send(run);
  expect(typesOf(run.trace)).not.toContain("aside");
  expect(run.trace.at(-1)).toMatchObject({ type: "reply" });
});

test("where the loop is not known to offer tools there are none", () => {
  const run = rehearse(openTestScript());
  run.send(bare(say("Hello")));
  expect(typesOf(run.trace)).toEqual(["request", "reply"]);
});

test("a failure that the script holds waits for the conversation; streams are streamed; ids are unlike", () => {
  const failing = { ...openTestScript(script([{ fault: 529 }, ...twoTurns])), asides: true };
  const run = rehearse(failing);
  const sent = [1, 2].map(() => run.send({ ...bare(say("Hello")), stream: true }));
  expect(sent.map(({ status, streamed }) => [status, streamed])).toEqual([
    [200, true],
    [200, true],
  ]);
  expect(sent[0]?.events?.at(-1)).toEqual({ type: "message_stop" });
  expect(sent[0]?.message?.id).not.toBe(sent[1]?.message?.id);
  expect(run.send(bodyOf(failing, [promptOf(failing)]))).toMatchObject({ kind: "fault", status: 529 });
});
