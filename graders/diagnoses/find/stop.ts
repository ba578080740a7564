import type { Run } from "../../trace/run.ts";
import { delivered } from "./calls.ts";

/** Whether a run was to end before the conversation did: it was aborted, or the tokens it was given are spent. */
export function hadToStop({ trace, scenario }: Run): boolean {
  if (trace.some(({ type }) => type === "abort")) return true;
  const { budget } = scenario.options;
  return budget !== null && tokensOf(trace) >= budget;
}

/** Tokens, input and output, of all the replies so far. */
function tokensOf(trace: Run["trace"]): number {
  return delivered(trace).reduce((sum, { message: { usage } }) => sum + usage.input_tokens + usage.output_tokens, 0);
}
