import type { Trace } from "../../trace/events.ts";
import { runsFor } from "./alike.ts";
import { type Asked, markOf, type Ran, ran } from "./calls.ts";
import { pairs } from "./pairing.ts";
import { blockText } from "./requests.ts";

/**
 * The run that a call got instead of its own: one too many of another call by the same name, whose value went out as this
 * call's result. Null where the call was run itself, or nothing tells that a run was meant for it.
 */
export function runInPlaceOf(trace: Trace, asked: Asked): Ran | null {
  if (runsFor(trace, asked).length > 0) return null;
  const said = pairs(trace)
    .flatMap(({ results }) => results)
    .filter((result) => result.tool_use_id === asked.id)
    .map(blockText);
  const holds = ({ result }: Ran) =>
    result?.outcome.kind === "value" && markOf(result.outcome).some((mark) => said.some((text) => text.includes(mark)));
  const others = ran(trace).filter(({ call, key }) => call.name === asked.name && key !== asked.key);
  return others.find((each) => each.call.answers === null && each.call.seq > asked.reply.seq && holds(each)) ?? null;
}
