import type { Agent } from "../../testing/play.ts";
import { callsOf, full, gather, resultsOf, status, streaming } from "../testing/honest.ts";
import { loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./unknown-tool.ts";

const crashing = loop({
  results: (hands, reply) =>
    Promise.all(
      callsOf(reply).map(async ({ id, name, input }) => {
        const tool = hands.tools.find((each) => each.name === name);
        return {
          type: "tool_result",
          tool_use_id: id,
          content: `${tool!.name}: ${await hands.executeTool(name, input)}`,
        };
      }),
    ),
});

/** Results of what went well alone; where none did, an empty message. */
const leftOut = loop({
  results: async (hands, reply) => (await resultsOf(hands, reply)).filter((each) => !each.is_error),
  keep: (reply, results) => [
    { role: "assistant", content: reply.content },
    { role: "user", content: results },
  ],
});

/** It streams, and reads the input of a call as JSON though nothing of it may have come. */
const readsNothing: Agent = (hands) =>
  loop()({
    ...hands,
    callModel: async (request) => {
      const input: string[] = [];
      const events = hands.stream(request);
      const reply = await gather(
        (async function* () {
          for await (const event of events) {
            const { partial_json: piece } = (event.delta ?? {}) as { partial_json?: string };
            if (piece !== undefined) input.push(piece);
            yield event;
          }
        })(),
      );
      if (callsOf(reply).length > 0) JSON.parse(input.join(""));
      return reply;
    },
  });

rows(behaviour, {
  holds: [
    { name: "an error for it", agent: full, says: ["is_error: true"] },
    { name: "an error for it, tools of its own", agent: status, tools: "own" },
    { name: "an error for it, with stand-ins", agent: streaming, tools: "stubbed" },
  ],
  fails: [
    { name: "it looks up what is not there", agent: crashing, diagnosis: "unknown-tool-crashes", severity: "harms" },
    { name: "it looks up what is not there, in a program", agent: crashing, tools: "own", clock: "real" },
    {
      name: "not flagged",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).map(({ is_error: _, ...each }) => each),
      }),
      severity: "advice",
    },
    {
      name: "it leaves it out",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).filter((each) => !each.is_error),
      }),
    },
    {
      name: "it leaves it out, and sends an empty message",
      agent: leftOut,
      severity: "breaks",
      diagnosis: "dropped-tool-result",
    },
    {
      name: "it goes down on the empty input",
      agent: readsNothing,
      severity: "harms",
      diagnosis: "partial-json-parsed",
    },
    {
      name: "an empty result",
      agent: loop({
        results: async (hands, reply) =>
          (await resultsOf(hands, reply)).map(({ is_error: _, ...each }) => ({ ...each, content: "" })),
      }),
      says: ["un resultado vacío"],
    },
  ],
  others: [
    { name: "no tools", agent: full, tools: "none", status: null },
    {
      name: "it keeps no turn of the model",
      agent: loop({ keep: (_, results) => [{ role: "user", content: results }] }),
      status: "not-observable",
    },
  ],
});
