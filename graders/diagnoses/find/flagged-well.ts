import type { ToolResultBlock } from "../../trace/api.ts";
import type { Trace } from "../../trace/events.ts";
import { runsFor } from "./alike.ts";
import { type Asked, askedById, markOf } from "./calls.ts";
import { toJson } from "./json.ts";
import { type Pair, pairs } from "./pairing.ts";

/** A result with `is_error: true` that holds what its call gave when it went well. */
export interface FlaggedWell extends Pick<Pair, "request" | "reply"> {
  asked: Asked;
  result: ToolResultBlock;
}

/** A value that tells of an error itself: a host may well flag it. */
const TELLS_OF_ERROR =
  /error|fail|denied|refus|invalid|not found|timed? ?out|exception|fall(ó|a|o)|rechaz|deneg|inválid/i;

/**
 * The good results that were flagged as errors, in requests that the model answered. Told by the token of a value in them: a host
 * that gave up on a slow tool, or found fault with what it gave, answers in words of its own.
 */
export function flaggedWell(trace: Trace): FlaggedWell[] {
  return pairs(trace).flatMap(({ request, reply, results }) => {
    if (reply?.kind !== "message") return [];
    const asked = askedById(trace, request.seq);
    return results.flatMap((result) => {
      const call = asked.get(result.tool_use_id);
      if (call === undefined || result.is_error !== true) return [];
      const said = toJson(result.content);
      const gave = runsFor(trace, call).flatMap(({ result: end }) =>
        end?.outcome.kind === "value" ? end.outcome : [],
      );
      const isGood = gave.some(
        (outcome) => markOf(outcome).some((mark) => said.includes(mark)) && !TELLS_OF_ERROR.test(toJson(outcome.value)),
      );
      return isGood ? [{ request, reply, asked: call, result }] : [];
    });
  });
}
