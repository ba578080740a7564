import type { Hands } from "../../testing/play.ts";
import type { ApiMessage } from "../../trace/api.ts";
import { callsOf, full, resultsOf } from "../testing/honest.ts";
import { loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./one-of-two-throws.ts";

const run = async ({ executeTool }: Hands, { id, name, input }: ReturnType<typeof callsOf>[number]) => ({
  type: "tool_result",
  tool_use_id: id,
  content: String(await executeTool(name, input)),
});

const upToTheFailure = async (hands: Hands, reply: ApiMessage) => {
  const results: Record<string, unknown>[] = [];
  for (const call of callsOf(reply)) {
    try {
      results.push(await run(hands, call));
    } catch (error) {
      results.push({ type: "tool_result", tool_use_id: call.id, content: String(error), is_error: true });
      break;
    }
  }
  return results;
};

const allAreErrors = async (hands: Hands, reply: ApiMessage) => {
  try {
    return await Promise.all(callsOf(reply).map((call) => run(hands, call)));
  } catch (error) {
    return callsOf(reply).map(({ id }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: String(error),
      is_error: true,
    }));
  }
};

/** @param again what of a turn is run once more if any of it fails */
const retrying = (again: (id: string, failed: string[]) => boolean) =>
  loop({
    results: async (hands, reply) => {
      let results = await resultsOf(hands, reply);
      for (let times = 1; times < 3; times++) {
        const failed = results.filter(({ is_error }) => is_error).map(({ tool_use_id }) => String(tool_use_id));
        const calls = callsOf(reply).filter(({ id }) => failed.length > 0 && again(id, failed));
        const news = await resultsOf(hands, { content: calls });
        results = results.map((old) => news.find((each) => each.tool_use_id === old.tool_use_id) ?? old);
      }
      return results;
    },
  });

rows(behaviour, {
  holds: [
    { name: "the one that fails is tried again", agent: retrying((id, failed) => failed.includes(id)) },
    { name: "each by itself", agent: full, says: ["un error y un resultado"] },
    { name: "each by itself, with stand-ins", agent: full, tools: "stubbed" },
    {
      name: "not flagged: that is another row's matter",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).map(({ is_error: _, ...result }) => result),
      }),
    },
  ],
  fails: [
    {
      name: "every result an error",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).map((each) => ({ ...each, is_error: true })),
      }),
      severity: "harms",
      next: "is_error: true",
    },
    {
      name: "the whole turn is tried again",
      agent: retrying(() => true),
      severity: "harms",
      diagnosis: "tool-run-twice",
    },
    {
      name: "they are run with other data",
      agent: loop({
        results: (hands, reply) =>
          resultsOf(hands, { content: callsOf(reply).map((call) => ({ ...call, input: {} })) }),
      }),
      diagnosis: "wrong-tool-input",
    },
    {
      name: "all or nothing",
      agent: loop({ results: (hands, reply) => Promise.all(callsOf(reply).map((call) => run(hands, call))) }),
      diagnosis: "tool-error-crashes",
    },
    { name: "nothing after the one that fails", agent: loop({ results: upToTheFailure }), run: 1, severity: "breaks" },
    { name: "what went well is called an error", agent: loop({ results: allAreErrors }), says: ["marcó como error"] },
    {
      name: "the one that fails is left out",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).filter((each) => !each.is_error),
      }),
      says: ["no había resultado de"],
      diagnosis: "dropped-tool-result",
    },
  ],
  others: [
    { name: "tools of its own", agent: full, tools: "own", status: "not-observable" },
    { name: "no tools", agent: full, tools: "none", status: "not-applicable" },
    {
      name: "it takes the first call alone",
      agent: loop({
        results: (hands, reply) => resultsOf(hands, { content: callsOf(reply).slice(0, 1) }),
      }),
      told: ["dropped-tool-result"],
      status: "not-observable",
    },
  ],
});
