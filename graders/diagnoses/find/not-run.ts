import type { ToolResultBlock } from "../../trace/api.ts";
import type { Run } from "../../trace/run.ts";
import { type Asked, askedById, markOf, ran, scriptOf } from "./calls.ts";
import { toJson } from "./json.ts";
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

/**
 * The results for calls that were not run, though an earlier reply had asked for the very same and that was: the model asked
 * again, and got what came of it then. Calls of one reply may share a run, and so may a reply that is given once more.
 */
export function answeredFromMemory({ trace, scenario }: Run): Unearned[] {
  // Of a conversation without end a host may keep the model from repeating itself.
  if (scenario.endlessFrom !== null) return [];
  const runs = ran(trace);
  return pairs(trace).flatMap(({ request, reply, results }) => {
    const asked = askedById(trace, request.seq);
    const before = [...asked.values()];
    return results.flatMap((result) => {
      const call = asked.get(result.tool_use_id);
      if (call === undefined || !call.reply.complete) return [];
      const alike = runs.filter(({ key }) => key === call.key);
      if (alike.some((each) => each.call.seq > call.reply.seq)) return [];
      const first = before.find(({ key }) => key === call.key);
      if (first === undefined || first.reply.entry === call.reply.entry) return [];
      const said = toJson(result.content);
      const remembered = alike.some((each) => markOf(each.result?.outcome).some((mark) => said.includes(mark)));
      return remembered ? [{ request, reply, asked: call, result }] : [];
    });
  });
}
