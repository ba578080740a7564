import { expect, test } from "vitest";
import {
  AgentStopped,
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type ToolResultBlockParam,
} from "../../../exercises/harness.ts";
import { openTestScript } from "../../testing/play.ts";
import { endless, failingTool, flakyTool, noCall, overloadedOnce, script, twoTurns } from "../../testing/scripts.ts";
import { askedUntilDone, type Evidence, either, ranEveryCall } from "./checks.ts";
import {
  continuedPausedTurn,
  didNotRun,
  endedAt,
  gaveUpWithin,
  outlastedFaults,
  saysWhy,
  toldOfToolError,
} from "./endings.ts";
import { type Agent, play } from "./play.ts";

/** What a loop does at each turn that is not the plain way. */
interface Ways {
  /** Most requests with tools; a hundred when left out. */
  cap?: number;
  /** At the cap. */
  atCap?(reply: Message | null, messages: MessageParam[]): unknown;
  /** Whether a reply's calls are run and the loop goes on. */
  runs?(reply: Message): boolean;
  /** What is pushed after a paused turn; nothing of the kind when left out: the loop ends there. */
  paused?(reply: Message): MessageParam[];
  result?(call: { id: string; name: string; input: unknown }): Promise<ToolResultBlockParam>;
  /** A reply that is neither to be run nor paused. */
  end?(reply: Message): unknown;
}

const textOf = ({ content }: Message) => content.flatMap((block) => (block.type === "text" ? block.text : [])).join("");

const plainResult = async ({ id, name, input }: { id: string; name: string; input: unknown }) => {
  return { type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
};

function loop(ways: Ways): Agent {
  const { cap = 100, runs = ({ stop_reason }) => stop_reason === "tool_use", result = plainResult } = ways;
  return async (userInput, tools) => {
    const messages: MessageParam[] = [{ role: "user", content: userInput }];
    let reply: Message | null = null;
    for (let turn = 0; turn < cap; turn++) {
      reply = await callModel({ messages, tools });
      if (reply.stop_reason === "pause_turn" && ways.paused) {
        messages.push(...ways.paused(reply));
        continue;
      }
      if (!runs(reply)) return ways.end ? ways.end(reply) : reply;
      const results: ToolResultBlockParam[] = [];
      for (const block of reply.content) if (block.type === "tool_use") results.push(await result(block));
      messages.push({ role: "assistant", content: reply.content }, { role: "user", content: results });
    }
    return ways.atCap?.(reply, messages);
  };
}

async function judge(evidence: Evidence, agent: Agent, replies: unknown): Promise<string | null> {
  const scenario = openTestScript(Array.isArray(replies) ? script(replies) : replies);
  return evidence(await play(agent, scenario))?.en ?? null;
}

const idle: Agent = async () => undefined;
const once: Agent = async (userInput, tools) => {
  await callModel({ messages: [{ role: "user", content: userInput }], tools });
};
const stopped = (reason: string) => () => {
  throw new AgentStopped(reason);
};

const restart = { tool: "restart_service", input: { service: "api" }, does: { returns: "restarted {{nonce}}" } };
const cutCall = [
  { text: "I will restart it. {{nonce}}", calls: [{ ...restart, input: {} }], stopReason: "max_tokens" },
  { calls: [restart] },
  { text: "All is well. {{nonce}}" },
];
const refusedCall = [{ text: "First {{nonce}}", calls: [restart], stopReason: "refusal" }];
const declined = [{ text: "I would rather not. {{nonce}}", stopReason: "refusal" }];
const paused = [
  { text: "One moment. {{nonce}}", stopReason: "pause_turn" },
  { text: "Nearly. {{nonce}}", stopReason: "pause_turn" },
  { text: "Here it is. {{nonce}}" },
];
const invented = [{ calls: [{ tool: "reboot_planet", input: {}, invented: true }] }, { text: "Then not. {{nonce}}" }];

test("nothing is shown by doing nothing, nor by one request", async () => {
  const everywhere: [Evidence, unknown][] = [
    [gaveUpWithin(10), endless],
    [endedAt("refusal"), twoTurns],
    [didNotRun("max_tokens"), twoTurns],
    [continuedPausedTurn, paused],
    [toldOfToolError, failingTool],
    [outlastedFaults, overloadedOnce],
  ];
  for (const [evidence, replies] of everywhere) {
    expect(await judge(evidence, idle, replies)).not.toBeNull();
    expect(await judge(evidence, once, replies)).not.toBeNull();
  }
  expect(await judge(saysWhy, idle, endless)).not.toBeNull();
  expect(await judge(saysWhy, once, endless)).not.toBeNull();
});

test("a cap is kept, however it ends, and by one request less too", async () => {
  const endings: NonNullable<Ways["atCap"]>[] = [
    stopped("cap"),
    () => null,
    (reply) => reply,
    () => ({ status: "cap" }),
  ];
  for (const atCap of endings) {
    for (const cap of [3, 9, 10]) expect(await judge(gaveUpWithin(10), loop({ cap, atCap }), endless)).toBeNull();
  }
});

test("one request with tools over the cap is over it", async () => {
  const over = await judge(gaveUpWithin(10), loop({ cap: 11, atCap: stopped("cap") }), endless);
  expect(over).toBe("the loop asked the model 11 times with tools on offer; the cap is 10.");
});

test("a last request without tools is within the cap; a second one is not", async () => {
  const land = async (_: Message | null, messages: MessageParam[]) => textOf(await callModel({ messages }));
  const twice = async (reply: Message | null, messages: MessageParam[]) => {
    await callModel({ messages });
    return land(reply, messages);
  };
  expect(await judge(gaveUpWithin(10), loop({ cap: 10, atCap: land }), endless)).toBeNull();
  expect(await judge(saysWhy, loop({ cap: 10, atCap: land }), endless)).toBeNull();
  expect(await judge(gaveUpWithin(10), loop({ cap: 10, atCap: twice }), endless)).not.toBeNull();
});

test("leaving at once is no cap, and neither is falling over", async () => {
  const broken = () => {
    throw new TypeError("x is not a function");
  };
  expect(await judge(gaveUpWithin(10), loop({ runs: () => false }), endless)).toContain("gone round a couple of times");
  expect(await judge(gaveUpWithin(10), loop({ cap: 5, atCap: broken }), endless)).toContain("not its own");
  const rejected = async () => void (await callModel({ messages: [] }));
  expect(await judge(gaveUpWithin(10), loop({ cap: 5, atCap: rejected }), endless)).toContain("not its own");
});

test("a cap is looked for only where there is no end", async () => {
  expect(await judge(gaveUpWithin(10), loop({}), twoTurns)).toContain("ends by itself");
});

test("a throw, a status, a Message, other words: all say why", async () => {
  const ways: NonNullable<Ways["atCap"]>[] = [
    stopped("cap"),
    () => {
      throw "cap";
    },
    () => ({ status: "cap" }),
    () => "I gave up after five turns.",
    (reply) => reply,
    (reply) => reply?.content,
    (reply) => ({ text: textOf(reply!), stopReason: "cap" }),
    (reply) => `I gave up. The last I heard: ${textOf(reply!)}`,
  ];
  for (const atCap of ways) expect(await judge(saysWhy, loop({ cap: 5, atCap }), endless), String(atCap)).toBeNull();
});

test("nothing, an empty error and a bare preamble do not", async () => {
  const ways: NonNullable<Ways["atCap"]>[] = [
    () => undefined,
    () => null,
    () => "",
    () => [],
    stopped(" "),
    (reply) => textOf(reply!),
    (reply) => ({ answer: textOf(reply!) }),
    (reply) => [textOf(reply!)],
    (reply) => `My answer: ${textOf(reply!)}`,
    (_, messages) =>
      messages
        .flatMap(({ content }) => (typeof content === "string" ? [] : content))
        .flatMap((block) => (block.type === "text" ? block.text : []))
        .join("\n"),
  ];
  for (const atCap of ways)
    expect(await judge(saysWhy, loop({ cap: 5, atCap }), endless), String(atCap)).not.toBeNull();
});

test("of a generator, what it returned counts, else what it gave last", async () => {
  const drained = (yielded: unknown[], returned: unknown) => loop({ cap: 5, atCap: () => ({ yielded, returned }) });
  expect(await judge(saysWhy, drained(["a"], { stopped: "cap" }), endless)).toBeNull();
  expect(await judge(saysWhy, drained(["a", { stopped: "cap" }], null), endless)).toBeNull();
  expect(await judge(saysWhy, drained([], null), endless)).not.toBeNull();
  const preambles: Agent = loop({ cap: 5, atCap: (reply) => ({ yielded: [textOf(reply!)], returned: null }) });
  expect(await judge(saysWhy, preambles, endless)).not.toBeNull();
});

test("a reply that is no answer ends a loop well when its text is not handed over as one", async () => {
  const good: NonNullable<Ways["end"]>[] = [
    stopped("refusal"),
    (reply) => reply,
    () => null,
    (reply) => ({ reason: reply.stop_reason, text: textOf(reply) }),
  ];
  for (const end of good) expect(await judge(endedAt("refusal"), loop({ end }), declined), String(end)).toBeNull();
  const bad: NonNullable<Ways["end"]>[] = [textOf, (reply) => ({ text: textOf(reply) })];
  for (const end of bad)
    expect(await judge(endedAt("refusal"), loop({ end }), declined), String(end)).toContain("unfinished");
});

test("the text of a proper end, and of a reason nobody knows, may be handed over", async () => {
  for (const stopReason of ["end_turn", "stop_sequence", { unknown: "novel" }]) {
    const reason = typeof stopReason === "string" ? stopReason : stopReason.unknown;
    expect(
      await judge(endedAt(reason), loop({ end: textOf }), [{ text: "So be it. {{nonce}}", stopReason }]),
    ).toBeNull();
  }
});

test("ending elsewhere, going on, or falling over is not ending there", async () => {
  expect(await judge(endedAt("refusal"), loop({}), noCall)).toContain("did not get to the reply with `refusal`");
  const again: Agent = async (userInput, tools) => {
    for (let i = 0; i < 2; i++) await callModel({ messages: [{ role: "user", content: userInput }], tools });
  };
  expect(
    await judge(endedAt("max_tokens"), again, [{ text: "{{nonce}}", stopReason: "max_tokens" }, ...noCall]),
  ).toContain("went on asking");
  const trips = (reply: Message) => (reply as unknown as { answer: { text: string } }).answer.text;
  expect(await judge(endedAt("refusal"), loop({ end: trips }), declined)).toContain("not its own");
});

test("a call in a reply that was cut or declined stays unrun: by ending, by asking again, by an error result", async () => {
  expect(await judge(didNotRun("max_tokens"), loop({ end: stopped("cut") }), cutCall)).toBeNull();
  expect(await judge(didNotRun("refusal"), loop({ end: stopped("refused") }), refusedCall)).toBeNull();
  const asksAgain: Agent = async (userInput, tools) => {
    await callModel({ messages: [{ role: "user", content: userInput }], tools });
    return loop({})(userInput, tools);
  };
  const whole = [{ ...cutCall[0], calls: [restart] }, ...cutCall.slice(1)];
  for (const replies of [cutCall, whole]) expect(await judge(didNotRun("max_tokens"), asksAgain, replies)).toBeNull();
  const tells = loop({
    runs: ({ content }) => content.some(({ type }) => type === "tool_use"),
    result: async (call) => {
      const whole = Object.keys(call.input as object).length > 0;
      if (whole) return plainResult(call);
      return { type: "tool_result", tool_use_id: call.id, is_error: true, content: "cut off" };
    },
  });
  expect(await judge(didNotRun("max_tokens"), tells, cutCall)).toBeNull();
  expect(await judge(askedUntilDone, tells, cutCall)).toBeNull();
  expect(await judge(ranEveryCall, tells, cutCall)).toBeNull();
});

test("running it shows, whatever the loop does then", async () => {
  const eager = loop({ runs: ({ content }) => content.some(({ type }) => type === "tool_use") });
  expect(await judge(didNotRun("refusal"), eager, refusedCall)).toContain("`restart_service` was run");
  const whole = [{ ...cutCall[0], calls: [restart] }, ...cutCall.slice(1)];
  expect(await judge(didNotRun("max_tokens"), eager, whole)).toContain("`restart_service` was run");
});

test("a paused turn goes back as it came", async () => {
  const asItCame: Ways["paused"] = ({ content }) => [{ role: "assistant", content }];
  expect(await judge(continuedPausedTurn, loop({ paused: asItCame }), paused)).toBeNull();
});

test("a paused turn that is lost, changed, or followed by words of one's own is not continued", async () => {
  const ways: NonNullable<Ways["paused"]>[] = [
    () => [],
    ({ content }) => [{ role: "assistant", content: content.slice(1) }],
    ({ content }) => [
      { role: "assistant", content },
      { role: "user", content: "Please go on." },
    ],
    (reply) => [
      { role: "assistant", content: textOf(reply) },
      { role: "user", content: "Go on." },
    ],
  ];
  for (const way of ways)
    expect(await judge(continuedPausedTurn, loop({ paused: way, cap: 4 }), paused)).not.toBeNull();
  expect(await judge(continuedPausedTurn, loop({}), paused)).toContain("did not continue");
});

const flagged: Ways["result"] = async (call) => {
  try {
    return await plainResult(call);
  } catch (error) {
    return { type: "tool_result", tool_use_id: call.id, is_error: true, content: (error as Error).message };
  }
};

test("a tool's error is told by a flagged result with words in it", async () => {
  for (const replies of [failingTool, flakyTool, invented]) {
    expect(await judge(toldOfToolError, loop({ result: flagged }), replies)).toBeNull();
  }
});

test("of calls that are alike it does not matter which of them the failed run was for", async () => {
  const call = (does: object) => ({ tool: "read_logs", input: { service: "api" }, does });
  const [fails, works] = [call({ throws: "disk full {{nonce}}" }), call({ returns: "fine {{nonce}}" })];
  for (const calls of [
    [fails, works],
    [works, fails],
  ]) {
    const replies = [{ calls }, ...noCall];
    expect(await judge(toldOfToolError, loop({ result: flagged }), replies)).toBeNull();
    const silent: Ways["result"] = async (each) => ({ ...(await flagged!(each)), is_error: false });
    expect(await judge(toldOfToolError, loop({ result: silent }), replies)).toContain("is_error");
  }
});

test("a tool that is tried again until it works needs no telling", async () => {
  const persistent: Ways["result"] = async (call) => {
    for (;;) {
      try {
        return await plainResult(call);
      } catch {}
    }
  };
  expect(await judge(toldOfToolError, loop({ result: persistent }), flakyTool)).toBeNull();
  expect(await judge(ranEveryCall, loop({ result: persistent }), flakyTool)).toBeNull();
});

test("an error without flag, without words, or that ends the loop is not told", async () => {
  const bent = (change: object): Ways["result"] => {
    return async (call) => ({ ...(await flagged!(call)), ...change }) as ToolResultBlockParam;
  };
  expect(await judge(toldOfToolError, loop({ result: bent({ is_error: false }) }), failingTool)).toContain("is_error");
  const mute = loop({ result: bent({ content: [{ type: "text", text: " " }] }) });
  expect(await judge(toldOfToolError, mute, failingTool)).not.toBeNull();
  expect(await judge(toldOfToolError, loop({}), failingTool)).toContain("got no result");
  expect(await judge(toldOfToolError, loop({ result: flagged }), twoTurns)).toContain("no tool got to fail");
});

test("an error let through is no ending of one's own", async () => {
  expect(await judge(saysWhy, loop({}), failingTool)).toContain("not its own");
});

test("a fault is outlasted when the conversation goes on to its end", async () => {
  expect(await judge(outlastedFaults, loop({}), overloadedOnce)).toBeNull();
  expect(await judge(outlastedFaults, loop({}), twoTurns)).toContain("did not get to the server's failure");
  expect(await judge(outlastedFaults, loop({ cap: 1 }), overloadedOnce)).not.toBeNull();
});

test("of several ways one is enough, and the way that got furthest says what is missing", async () => {
  const yes: Evidence = () => null;
  const no =
    (en: string): Evidence =>
    () => ({ es: en, en });
  expect(await judge(either([no("a")], [yes, yes]), loop({}), noCall)).toBeNull();
  expect(await judge(either([no("a"), yes], [yes, no("b")]), loop({}), noCall)).toBe("b");
  expect(await judge(either([no("a")], [no("b")]), loop({}), noCall)).toBe("a");
});
