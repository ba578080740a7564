/** What one import of a loop keeps: two conversations, and whether anything of the one turns up in the other. */
import type { JudgedRun } from "../grading/spec.ts";
import type { ScenarioFile } from "../model/scenario-file.ts";
import type { Text } from "../trace/text.ts";
import type { Cast, Verdict } from "./behaviour.ts";
import { faultIn, gotToTheEnd, holds, notApplicable, unseen } from "./judging.ts";

export function twoConversations(cast: Cast): ScenarioFile[] {
  return [1, 2].map((number) =>
    shortConversation(cast, { es: `Conversación ${number} de dos`, en: `Conversation ${number} of two` }),
  );
}

/** One turn with a call, where there is a tool, and an end. */
export function shortConversation(cast: Cast, title: Text): ScenarioFile {
  const call = cast.call();
  const turns = call
    ? [{ text: { es: "Voy a verlo. {{nonce}}", en: "I will see to it. {{nonce}}" }, calls: [call] }]
    : [];
  const end = { text: { es: "Esta queda lista. {{nonce}}", en: "This one is done. {{nonce}}" } };
  return cast.script(title, [...turns, end]);
}

/** @param apart what to say when they stay apart */
export function judgeTwo(runs: readonly JudgedRun[], apart: Text): Verdict {
  if (runs.length > 1 && runs.every(({ beside }) => beside.length === 0)) return notApplicable(OWN_PROCESS);
  const shared = faultIn(runs, ["state-shared-between-runs"]);
  if (shared !== null) return shared;
  // One without an end has done its part once the next began.
  const short = runs.findIndex((run, index) => !gotToTheEnd(run) && !(isEndless(run) && index + 1 < runs.length));
  if (short !== -1) return unseen(runs[short], short);
  return runs.length < 2 ? unseen(undefined, runs.length) : holds(apart);
}

function isEndless({ scenario }: JudgedRun): boolean {
  return scenario.endlessFrom !== null;
}

export const OWN_PROCESS: Text = {
  es: "Cada conversación tiene un proceso para ella sola.",
  en: "Each conversation has a process of its own.",
};
