import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { type Asked, askedById, ran, scriptOf } from "./find/calls.ts";
import { pairs } from "./find/pairing.ts";
import { blockText, type Exchange } from "./find/requests.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tool-not-run",
  rank: 510,
  weight: "fault",
  exercise: "2.4",
  detect(run) {
    const found = madeUp(run);
    if (found === null) return null;
    return {
      turn: found.request.turn,
      at: found.request.at,
      headline: {
        es: "Respondiste por una herramienta que nunca se ejecutó",
        en: "You answered for a tool that was never run",
      },
      detail: {
        es: `El modelo pidió ${code(found.asked.name)} y recibió como resultado «${cut(found.said, 80)}», pero esa herramienta no se ejecutó. Va a razonar sobre ese dato como si fuera cierto.`,
        en: `The model asked for ${code(found.asked.name)} and got "${cut(found.said, 80)}" as its result, but that tool was not run. It will reason on that as if it were true.`,
      },
      next: {
        es: "¿De dónde sale el texto del `tool_result`: de `executeTool` o de tu código?",
        en: "Where does the text of the `tool_result` come from: from `executeTool` or from your own code?",
      },
    };
  },
};

/** A result not flagged as an error for a call that nobody ran; a host that refuses one says so by `is_error`. */
function madeUp(run: Run): (Exchange & { asked: Asked; said: string }) | null {
  // Of a conversation without end a host may refuse calls in its own words: that is a budget, not a made-up result.
  if (run.scenario.endlessFrom !== null) return null;
  const runs = ran(run.trace);
  const offered = new Set(run.scenario.tools.map(({ name }) => name));
  for (const { request, reply, results } of pairs(run.trace)) {
    const asked = askedById(run.trace, request.seq);
    for (const result of results) {
      const call = asked.get(result.tool_use_id);
      if (call === undefined || result.is_error === true || !offered.has(call.name)) continue;
      if (scriptOf(run.scenario, call)?.refuse || !call.reply.complete || runs.some(({ key }) => key === call.key))
        continue;
      // Run with another input, or by another name: that is what went wrong, not a lack of running.
      if (
        runs.some((each) => each.call.seq > call.reply.seq && each.call.answers === null && each.call.seq < request.seq)
      )
        continue;
      return { request, reply, asked: call, said: blockText(result) };
    }
  }
  return null;
}

export default diagnosis;
