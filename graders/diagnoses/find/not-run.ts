import type { ToolResultBlock } from "../../trace/api.ts";
import type { Run } from "../../trace/run.ts";
import { type Asked, askedById, ran, scriptOf } from "./calls.ts";
import { pairs } from "./pairing.ts";
import type { Exchange } from "./requests.ts";

/** A result for a call that should have been run and never was. */
export interface Unearned extends Exchange {
  asked: Asked;
  result: ToolResultBlock;
}

/** The results for calls that nobody ran, of those that were to be run: not refused, not made up, not cut short. */
export function answeredWithoutRunning(run: Run): Unearned[] {
  // Of a conversation without end a host may turn calls down in its own words: that is a budget.
  if (run.scenario.endlessFrom !== null) return [];
  const runs = ran(run.trace);
  const offered = new Set(run.scenario.tools.map(({ name }) => name));
  return pairs(run.trace).flatMap(({ request, reply, results }) => {
    const asked = askedById(run.trace, request.seq);
    return results.flatMap((result) => {
      const call = asked.get(result.tool_use_id);
      if (call === undefined || !offered.has(call.name) || !call.reply.complete) return [];
      if (scriptOf(run.scenario, call)?.refuse || runs.some(({ key }) => key === call.key)) return [];
      // Run with another input, or by another name: that is what went wrong, not a lack of running.
      const instead = runs.some(
        (each) => each.call.seq > call.reply.seq && each.call.answers === null && each.call.seq < request.seq,
      );
      return instead ? [] : [{ request, reply, asked: call, result }];
    });
  });
}
