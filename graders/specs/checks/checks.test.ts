import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callModel, executeTool, type MessageParam, type ToolResultBlockParam } from "../../../exercises/harness.ts";
import type { Work } from "../../grading/spec.ts";
import { openScenario } from "../../model/scenario.ts";
import { parseScenario } from "../../model/scenario-file.ts";
import { openTestScript } from "../../testing/play.ts";
import { script, twoTurns } from "../../testing/scripts.ts";
import {
  answeredEveryCall,
  answeredRight,
  askedUntilDone,
  type Evidence,
  gaveBackWholeTurns,
  handsBackTheEnd,
  handsBackTheText,
  inEveryRun,
  keptHistory,
  ranEveryCall,
  refusedWithoutRunning,
  toldOfRefusal,
  withRefusals,
  withTools,
} from "./checks.ts";
import { type Agent, play } from "./play.ts";

function open(name: string) {
  const file = new URL(`../../../fixtures/scenarios/${name}.json`, import.meta.url);
  return openScenario(parseScenario(JSON.parse(readFileSync(file, "utf8")), name), { name, seed: "a", lang: "en" });
}

async function workOf(agent: Agent, ...names: string[]): Promise<Work> {
  const runs = [];
  for (const name of names) runs.push(await play(agent, open(name)));
  return { runs, quiz: null };
}

/** What a part of the loop may do otherwise than an honest one. */
interface Bends {
  results?(results: ToolResultBlockParam[]): MessageParam[];
  assistant?(content: MessageParam["content"]): MessageParam[];
  run?(name: string, input: unknown): Promise<unknown>;
  refuses?: boolean;
  laps?: number;
  end?(response: Awaited<ReturnType<typeof callModel>>): unknown;
}

const bent =
  ({
    results,
    assistant,
    run = executeTool,
    refuses = false,
    laps = 100,
    end = (response) => response,
  }: Bends): Agent =>
  async (userInput, tools) => {
    const messages: MessageParam[] = [{ role: "user", content: userInput }];
    let response = await callModel({ messages, tools });
    for (let lap = 0; response.stop_reason === "tool_use" && lap < laps; lap++) {
      const answers: ToolResultBlockParam[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const start = String((block.input as { start?: string }).start);
        if (refuses && block.name === "run_migration" && (start < "02:00" || start > "04:59")) {
          answers.push({ type: "tool_result", tool_use_id: block.id, is_error: true, content: "outside the window" });
        } else {
          const content = JSON.stringify(await run(block.name, block.input));
          answers.push({ type: "tool_result", tool_use_id: block.id, content });
        }
      }
      messages.push(...(assistant?.(response.content) ?? [{ role: "assistant" as const, content: response.content }]));
      messages.push(...(results?.(answers) ?? [{ role: "user" as const, content: answers }]));
      response = await callModel({ messages, tools });
    }
    return end(response);
  };

const idle: Agent = async () => undefined;

const ON_CALL = ["on-call-restart-and-verify", "on-call-two-logs-in-one-turn", "on-call-long-night"];
const MIGRATIONS = [
  "migration-outside-the-window",
  "migration-refused-beside-another-call",
  "migration-asks-again-inside",
];

const LOOP: Evidence[] = [
  askedUntilDone,
  ranEveryCall,
  answeredEveryCall,
  keptHistory,
  gaveBackWholeTurns,
  handsBackTheEnd,
];

test("an honest loop shows everything", async () => {
  const work = await workOf(bent({}), ...ON_CALL);
  expect(inEveryRun(work, LOOP, withTools)).toBeNull();
});

test("a function that does nothing shows nothing", async () => {
  const work = await workOf(idle, ...ON_CALL, ...MIGRATIONS);
  for (const evidence of [...LOOP, handsBackTheText, refusedWithoutRunning, toldOfRefusal]) {
    expect(inEveryRun(work, [evidence])).not.toBeNull();
  }
});

test("no run is no evidence", () => {
  expect(inEveryRun({ runs: [], quiz: null }, [])).not.toBeNull();
});

test("a run that the filter leaves out is no evidence either", async () => {
  const work = await workOf(bent({}), "on-call-just-a-question");
  expect(inEveryRun(work, [], withTools)).not.toBeNull();
});

test("a loop that stops after one round has not asked until done, nor reached all turns", async () => {
  const work = await workOf(bent({ laps: 1 }), "on-call-restart-and-verify");
  for (const evidence of [askedUntilDone, ranEveryCall, answeredEveryCall, keptHistory, gaveBackWholeTurns]) {
    expect(inEveryRun(work, [evidence])).not.toBeNull();
  }
});

test("one request too many is not asking until done", async () => {
  const again: Agent = async (userInput, tools) => {
    await callModel({ messages: [{ role: "user", content: userInput }], tools });
    return bent({})(userInput, tools);
  };
  const work = await workOf(again, "on-call-just-a-question");
  expect(inEveryRun(work, [askedUntilDone])?.en).toContain("`callModel` was called 2 times; the conversation needs 1");
});

test("results in several messages are told from results in one", async () => {
  const results = (all: ToolResultBlockParam[]) => all.map((one) => ({ role: "user" as const, content: [one] }));
  const work = await workOf(bent({ results }), "weather-two-cities-at-once");
  expect(inEveryRun(work, [askedUntilDone])).toBeNull();
  expect(inEveryRun(work, [answeredEveryCall])?.en).toContain("several messages");
});

test("results under each other's ids are not each call's own", async () => {
  const results = ([a, b]: ToolResultBlockParam[]) => [
    {
      role: "user" as const,
      content: [
        { ...a!, content: b!.content! },
        { ...b!, content: a!.content! },
      ],
    },
  ];
  const work = await workOf(bent({ results }), "weather-two-cities-at-once");
  expect(inEveryRun(work, [askedUntilDone])).toBeNull();
  expect(inEveryRun(work, [answeredEveryCall])?.en).toContain("does not hold what that call returned");
});

test("of calls that are alike each may have the other's result", async () => {
  const does = (word: string) => ({
    tool: "read_logs",
    input: { service: "api" },
    does: { returns: `${word} {{nonce}}` },
  });
  const scenario = openTestScript(script([{ calls: [does("first"), does("second")] }, ...twoTurns]));
  const judge = async (results: (all: ToolResultBlockParam[]) => ToolResultBlockParam[]) => {
    const run = await play(bent({ results: (all) => [{ role: "user", content: results(all) }] }), scenario);
    return inEveryRun({ runs: [run], quiz: null }, [ranEveryCall, answeredEveryCall]);
  };
  expect(await judge((all) => all)).toBeNull();
  const swapped = ([a, b, ...rest]: ToolResultBlockParam[]) =>
    b ? [{ ...a!, content: b.content! }, { ...b, content: a!.content! }, ...rest] : [a!];
  expect(await judge(swapped)).toBeNull();
  const twice = ([a, ...rest]: ToolResultBlockParam[]) => [
    a!,
    ...rest.map((each) => ({ ...each, content: a!.content! })),
  ];
  expect((await judge(twice))?.en).toContain("does not hold what that call returned");
});

test("of calls that are alike one run may answer all of a turn, with what it gave; a later turn has its own", async () => {
  const call = { tool: "read_logs", input: { service: "api" }, does: { returns: "{{nonce}}" } };
  const judge = async (turns: object[][], again: (known: unknown) => unknown = (known) => known) => {
    const scenario = openTestScript(script([...turns.map((calls) => ({ calls })), ...twoTurns.slice(-1)]));
    let known: unknown;
    const once = async (name: string, input: unknown) => {
      if (known !== undefined) return again(known);
      known = await executeTool(name, input);
      return known;
    };
    const run = await play(bent({ run: once }), scenario);
    return inEveryRun({ runs: [run], quiz: null }, [ranEveryCall, answeredEveryCall]);
  };
  expect(await judge([[call, call]])).toBeNull();
  expect((await judge([[call, call]], () => "as before"))?.en).toContain(
    "more than once, and it was not run each time",
  );
  expect((await judge([[call], [call]]))?.en).toContain("more than once, and it was not run each time");
});

test("calls that are alike may be tried again when they fail, and no more than that", async () => {
  const flaky = {
    tool: "read_logs",
    input: { service: "api" },
    does: [{ throws: "no {{nonce}}" }, { returns: "{{nonce}}" }],
  };
  const scenario = openTestScript(script([{ calls: [flaky, flaky] }, ...twoTurns.slice(-1)]));
  const until = (times: number) => async (name: string, input: unknown) => {
    for (let went = 0; ; ) {
      try {
        const value = await executeTool(name, input);
        went++;
        if (went === times) return value;
      } catch {}
    }
  };
  const judge = async (times: number) => {
    const run = await play(bent({ run: until(times) }), scenario);
    return inEveryRun({ runs: [run], quiz: null }, [ranEveryCall, answeredEveryCall]);
  };
  expect(await judge(1)).toBeNull();
  expect((await judge(2))?.en).toContain("more often");
});

test("the order of the results is free", async () => {
  const results = (all: ToolResultBlockParam[]) => [{ role: "user" as const, content: all.toReversed() }];
  const work = await workOf(bent({ results }), "weather-two-cities-at-once");
  expect(inEveryRun(work, LOOP)).toBeNull();
});

test("a call run twice, or with another input, is not every call run once", async () => {
  const twice = async (name: string, input: unknown) => {
    await executeTool(name, input);
    return executeTool(name, input);
  };
  const other = (name: string, input: unknown) => executeTool(name, { ...(input as object), extra: true });
  for (const run of [twice, other]) {
    const work = await workOf(bent({ run }), "weather-one-call");
    expect(inEveryRun(work, [ranEveryCall])).not.toBeNull();
  }
});

test("a turn without its thinking or its text is not a whole turn", async () => {
  const without = (type: string) => (content: MessageParam["content"]) => [
    {
      role: "assistant" as const,
      content: (content as { type: string }[]).filter((block) => block.type !== type) as never,
    },
  ];
  for (const type of ["thinking", "text"]) {
    const work = await workOf(bent({ assistant: without(type) }), "calendar-thinks-first");
    expect(inEveryRun(work, [gaveBackWholeTurns])).not.toBeNull();
  }
});

test("a turn whose words stand beside it once more is not given back as it came", async () => {
  const said = (content: MessageParam["content"]) =>
    (content as { type: string; text?: string }[]).map(({ text = "" }) => text).join("");
  const assistant = (content: MessageParam["content"]): MessageParam[] => [
    { role: "assistant", content: said(content) },
    { role: "assistant", content },
  ];
  const work = await workOf(bent({ assistant }), "calendar-find-and-book");
  expect(inEveryRun(work, [gaveBackWholeTurns])?.en).toContain("twice");
  const apart = (content: MessageParam["content"]): MessageParam[] => [
    { role: "assistant", content: said(content) },
    { role: "assistant", content: (content as { type: string }[]).filter(({ type }) => type !== "text") as never },
  ];
  expect(
    inEveryRun(await workOf(bent({ assistant: apart }), "calendar-find-and-book"), [gaveBackWholeTurns]),
  ).toBeNull();
});

test("the text may come as a string, in an object or in pieces; the Message and its thinking may not", async () => {
  type Response = Awaited<ReturnType<typeof callModel>>;
  const text = ({ content }: Response) => content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const right: Bends["end"][] = [
    text,
    (response) => ({ answer: text(response), usage: response.usage }),
    (response) => [text(response).slice(0, -3), text(response).slice(-3)],
  ];
  const wrong: Bends["end"][] = [
    (response) => response,
    (response) => response.content,
    (response) => JSON.stringify(response),
    () => "done",
    () => undefined,
  ];
  for (const end of right) {
    const work = await workOf(bent({ end: end! }), ...ON_CALL);
    expect(inEveryRun(work, [handsBackTheText])).toBeNull();
  }
  for (const end of wrong) {
    const work = await workOf(bent({ end: end! }), "on-call-restart-and-verify");
    expect(inEveryRun(work, [handsBackTheText])).not.toBeNull();
  }
});

test("the whole history is no text: the thinking of every turn is in it", async () => {
  const kept: unknown[] = [];
  const assistant = (content: MessageParam["content"]): MessageParam[] => {
    kept.push(content);
    return [{ role: "assistant", content }];
  };
  const end: Bends["end"] = ({ content }) =>
    JSON.stringify(kept) + content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const work = await workOf(bent({ assistant, end }), "on-call-long-night");
  expect(inEveryRun(work, [handsBackTheText])).not.toBeNull();
});

test("every block of the last reply's text is asked for, in its order", async () => {
  type Response = Awaited<ReturnType<typeof callModel>>;
  const texts = ({ content }: Response) => content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const judge = async (end: NonNullable<Bends["end"]>) =>
    inEveryRun(await workOf(bent({ end }), "on-call-two-logs-in-one-turn"), [handsBackTheText])?.en ?? null;
  for (const right of [
    texts,
    (response: Response) => texts(response).join(" "),
    (response: Response) => ({ first: texts(response)[0], rest: texts(response).slice(1), usage: response.usage }),
  ]) {
    expect(await judge(right)).toBeNull();
  }
  for (const wrong of [
    (response: Response) => texts(response)[0],
    (response: Response) => texts(response).slice(-1),
    (response: Response) => texts(response).reverse(),
    (response: Response) => ({ answer: texts(response).reverse().join("\n") }),
  ]) {
    expect(await judge(wrong)).toContain("several blocks of text");
  }
});

test("a history without the prompt is found out, in the first request too", async () => {
  const forgetful =
    (prompt: (userInput: string) => string): Agent =>
    (userInput, tools) =>
      bent({})(prompt(userInput), tools);
  const judge = async (agent: Agent) => inEveryRun(await workOf(agent, "weather-one-call"), [keptHistory])?.en ?? null;
  expect(await judge(forgetful((userInput) => `Please: ${userInput}`))).toBeNull();
  expect(await judge(forgetful(() => "Hello"))).toContain("the first request does not start with the user's message");
  const onlyLater: Agent = async (userInput, tools) => {
    const first = await callModel({ messages: [{ role: "user", content: "Hello" }], tools });
    void first;
    return bent({})(userInput, tools);
  };
  expect(await judge(onlyLater)).toContain("the first request");
});

test("a gate that refuses, tells and goes on shows it", async () => {
  const work = await workOf(bent({ refuses: true }), "migration-inside-the-window", ...MIGRATIONS);
  expect(inEveryRun(work, [ranEveryCall, answeredEveryCall, keptHistory, askedUntilDone, handsBackTheEnd])).toBeNull();
  expect(inEveryRun(work, [refusedWithoutRunning, toldOfRefusal], withRefusals)).toBeNull();
});

test("without a gate nothing is refused and nobody is told", async () => {
  const work = await workOf(bent({}), ...MIGRATIONS);
  for (const evidence of [refusedWithoutRunning, toldOfRefusal, ranEveryCall]) {
    expect(inEveryRun(work, [evidence], withRefusals)).not.toBeNull();
  }
});

test("a call run at a time of the loop's own choosing was run, and not refused", async () => {
  const run = (name: string, input: unknown) => executeTool(name, { ...(input as object), start: "02:00" });
  const work = await workOf(bent({ run }), "migration-outside-the-window");
  const told = inEveryRun(work, [refusedWithoutRunning], withRefusals)?.en;
  expect(told).toContain("an input that the model did not ask for");
  expect(told).not.toContain("it was not run");
});

test("a refusal without its flag is not told", async () => {
  const results = (all: ToolResultBlockParam[]) => [
    { role: "user" as const, content: all.map(({ is_error: _, ...result }) => result) },
  ];
  const work = await workOf(bent({ refuses: true, results }), ...MIGRATIONS);
  expect(inEveryRun(work, [refusedWithoutRunning])).toBeNull();
  expect(inEveryRun(work, [toldOfRefusal])?.en).toContain("is_error");
});

test("a gate that flags what it lets through tells the model nothing by the flag", async () => {
  const flagging = (is_error: boolean) => (all: ToolResultBlockParam[]) => [
    { role: "user" as const, content: all.map((result) => ({ is_error, ...result })) },
  ];
  const judge = async (is_error: boolean) =>
    inEveryRun(await workOf(bent({ refuses: true, results: flagging(is_error) }), ...MIGRATIONS), [toldOfRefusal])?.en;
  expect(await judge(true)).toContain("that went well carries `is_error: true`");
  expect(await judge(false)).toBeUndefined();
});

test("a quiz counts only when it is complete and right, and says neither key nor value", () => {
  const of = (quiz: Work["quiz"]) => answeredRight({ runs: [], quiz }, ["sizes", "total"]);
  expect(of({ missing: [], right: ["total", "sizes", "why"], wrong: [] })).toBeNull();
  expect(of(null)).not.toBeNull();
  expect(of({ missing: ["why"], right: [], wrong: [] })).not.toBeNull();
  const off = of({ missing: [], right: ["sizes"], wrong: ["total"] });
  expect(off).not.toBeNull();
  expect(JSON.stringify(off)).not.toMatch(/total|sizes/);
});
