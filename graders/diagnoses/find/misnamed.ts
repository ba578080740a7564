import type { Spot } from "../../trace/events.ts";
import type { Run } from "../../trace/run.ts";
import { runsFor } from "./alike.ts";
import { type Asked, askedBy, askedById, delivered } from "./calls.ts";
import { lastTurn } from "./ending.ts";
import { pairs } from "./pairing.ts";
import { blockText } from "./requests.ts";

/** What `executeTool` was given as a name, though no reply had asked for a tool of that name. */
export interface Misnamed {
  given: string;
  /** A call that was asked for and not run. */
  asked: Asked;
  turn: number;
  /** Where it was called, if its error ended the run. */
  at: Spot | null;
}

/** What `executeTool` says of a name that is no tool's. */
const NO_SUCH_TOOL = /Unknown tool: ([^"\n]*)/;

/** Read from the error that ended the run, or from a result that holds its words. Null where the model itself made the name up. */
export function misnamed(run: Run): Misnamed | null {
  const { trace, error } = run;
  for (const { request, results } of pairs(trace)) {
    const known = askedById(trace, request.seq);
    for (const result of results) {
      const asked = known.get(result.tool_use_id);
      if (asked === undefined) continue;
      const given = givenIn(run, asked, blockText(result));
      if (given !== null) return { given, asked, turn: request.turn, at: null };
    }
  }
  if (error === null || (run.outcome !== "threw" && run.kind !== "uncaught")) return null;
  const last = delivered(trace).at(-1);
  for (const asked of last ? askedBy(last) : []) {
    const given = givenIn(run, asked, error.message);
    if (given !== null) return { given, asked, turn: lastTurn(trace), at: error.stack[0] ?? run.at };
  }
  return null;
}

/** The name that a text says is no tool's, where a call is of one that there is and was not run. */
function givenIn({ trace, scenario }: Run, asked: Asked, said: string): string | null {
  const given = NO_SUCH_TOOL.exec(said)?.[1]?.trim() ?? null;
  if (given === null || runsFor(trace, asked).length > 0) return null;
  if (!scenario.tools.some(({ name }) => name === asked.name)) return null;
  const wasAsked = delivered(trace).some((reply) => askedBy(reply).some(({ name }) => given.includes(name)));
  return wasAsked ? null : given;
}
