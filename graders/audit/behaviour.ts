import type { JudgedRun } from "../grading/spec.ts";
import type { FileCall, ScenarioFile } from "../model/scenario-file.ts";
import type { Text } from "../trace/text.ts";
import type { BehaviourStatus, Severity, ToolsInUse } from "./report.ts";

/** One thing a loop should do. A file in `behaviours/`, named by its id, with this as its default export. */
export interface Behaviour {
  id: string;
  /** Place in the table. Unique. */
  order: number;
  /** What a loop that holds does, in a few words. */
  title: Text;
  /** Of a failure, unless the runs say worse: what the API rejects, or never ends, always `breaks`. */
  severity: Severity;
  /**
   * The conversations to play, one run each; null where it does not apply to the tools at hand, or to what was seen.
   * @param cast writes the calls the model makes
   * @param seen what the rows before have shown
   */
  scenarios(cast: Cast, seen: Seen): readonly ScenarioFile[] | null;
  /** Play the conversations from one import: one after the other, or all at once. Left out: each from an import of its own. */
  together?: "in-turn" | "at-once";
  /** What to say where there is nothing to play; left out or null: that there is no tool to try it with. */
  untried?(seen: Seen): Verdict | null;
  /** What the runs show, in the order of the scenarios. */
  judge(runs: readonly JudgedRun[], seen: Seen): Verdict;
}

/** What the model can be made to ask for, with the tools at hand. */
export interface Cast {
  tools: ScenarioFile["tools"];
  /** A call that the loop will run; each with an input of its own, so that no two are the same. Null: there is no tool to call. */
  call(): FileCall | null;
  /** Another call of the same tool, with an input of its own. */
  again(call: FileCall): FileCall;
  /** A call of a tool that fails; null where no tool can be made to: a tool of the user's does what it does. */
  failingCall(): FileCall | null;
  /** A call with its input cut off in the middle. */
  cutCall(): FileCall | null;
  /** A call of a tool that does not exist. */
  inventedCall(): FileCall;
  /** A scenario of these replies, with the tools at hand. */
  script(title: Text, replies: ScenarioFile["replies"], more?: Partial<ScenarioFile>): ScenarioFile;
}

/** How the audit can see. */
export interface Seen {
  tools: ToolsInUse["kind"];
  /** Most model calls the endless conversation is given. */
  maxCalls: number;
  /** Time is real (`--command`), or virtual. */
  clock: "real" | "virtual";
  /** How the plainest conversation with tools went, once it has been played: what goes wrong in it is no other row's matter. */
  plain: JudgedRun | null;
  /** How the conversation went whose model never ends, once it has been played, which may be ahead of its row; null too where there is no tool to go on with. */
  endless: JudgedRun | null;
  /** The diagnoses that rows before have told of a failure; null among them: of one that has none, a request was rejected. */
  told: Set<string | null>;
}

export interface Verdict {
  status: BehaviourStatus;
  message: Text;
  /** Where it differs from the behaviour's own. */
  severity?: Severity;
  /** What it shows cannot happen to this loop as it is: `advice`, whatever the runs say. */
  mild?: true;
  /** Index of the run that shows it; the first when left out. */
  run?: number;
  /** The finding of that run which tells of it; null: none does. Left out: its first fault. */
  diagnosis?: string | null;
  /** What to do next, where no finding says so. */
  next?: Text;
}
