/** What each conversation of the whole harness must show: a good ending of just that. Only for tests. */
import {
  answeredEveryCall,
  askedUntilDone,
  type Evidence,
  either,
  gaveBackWholeTurns,
  handsBackTheEnd,
  keptHistory,
  ranEveryCall,
  repliesOf,
} from "../../../specs/checks/checks.ts";
import {
  continuedPausedTurn,
  didNotRun,
  endedAt,
  gaveUpWithin,
  outlastedFaults,
  saysWhy,
  toldOfToolError,
} from "../../../specs/checks/endings.ts";
import type { Conversation } from "./conversations.ts";

/** Most requests in the conversation without end. */
export const CAP = 10;

const answered = [askedUntilDone, handsBackTheEnd];
const turns = [ranEveryCall, answeredEveryCall, keptHistory, gaveBackWholeTurns];

/** The script's last reply was reached and handed over, by however many requests. */
const gotAnAnswer: Evidence = (run) =>
  repliesOf(run).at(-1)?.final === true ? handsBackTheEnd(run) : { es: "no hay respuesta", en: "there is no answer" };

const stopsAt = (reason: string) => [endedAt(reason), saysWhy];

/** One by one, so that a failing test says which. */
export const demands: Readonly<Record<Conversation, Readonly<Record<string, readonly Evidence[]>>>> = {
  "no-call": { answered },
  "one-call-a-turn": { turns, answered },
  "parallel-calls": { turns, answered },
  "calls-without-text": { turns, answered },
  "thinks-first": { turns, answered },
  "redacted-thinking": { turns, answered },
  "empty-end": { turns, ended: [askedUntilDone, endedAt("end_turn")] },
  "stop-sequence": { turns, answered, ended: [endedAt("stop_sequence")] },
  "unknown-stop-reason": { turns, ended: [endedAt("handed_over")] },
  "tool-throws": { turns, told: [toldOfToolError], answered },
  "one-of-two-throws": { turns, told: [toldOfToolError], answered },
  "fails-at-first": { turns, told: [toldOfToolError], answered },
  "unknown-tool": { turns, told: [toldOfToolError], answered },
  "unknown-beside-known": { turns, told: [toldOfToolError], answered },
  "cut-text": { ended: [either(stopsAt("max_tokens"), answered)] },
  "cut-call": { untouched: [didNotRun("max_tokens")], ended: [either(stopsAt("max_tokens"), [...turns, ...answered])] },
  "cut-call-looks-whole": {
    untouched: [didNotRun("max_tokens")],
    ended: [either(stopsAt("max_tokens"), [...turns, ...answered])],
  },
  "context-window": { turns, ended: stopsAt("model_context_window_exceeded") },
  refusal: { turns, ended: [either(stopsAt("refusal"), [gotAnAnswer])] },
  "refused-call": { untouched: [didNotRun("refusal")], ended: [either(stopsAt("refusal"), [gotAnAnswer])] },
  "paused-once": { turns, continued: [continuedPausedTurn], answered },
  "paused-twice": { turns, continued: [continuedPausedTurn], answered },
  "rate-limited": { turns, outlasted: [outlastedFaults], answered },
  overloaded: { turns, outlasted: [outlastedFaults], answered },
  "mid-stream-error": { turns, outlasted: [outlastedFaults], answered },
  "cut-stream": { turns, outlasted: [outlastedFaults], answered },
  endless: { "gave up": [gaveUpWithin(CAP)], "said why": [saysWhy] },
};
