/** One conversation with the model: it answers requests and tool calls by the scenario, and writes down all that happens. */
import type { ReplyEvent, RequestEvent, Spot, Trace, TraceEvent } from "../trace/events.ts";
import type { Behaviour, Scenario } from "../trace/scenario.ts";
import { effectiveHistory, effectiveTools } from "./history.ts";
import { type Answer, answer, type Sent } from "./model.ts";
import { rebuildThread } from "./threads.ts";
import { runTool } from "./tools.ts";

type Distribute<T> = T extends TraceEvent ? Omit<T, "seq" | "turn"> : never;
export type NewEvent = Distribute<TraceEvent>;

export interface Conversation {
  readonly trace: Trace;
  /** Writes down what happened elsewhere. */
  add(event: NewEvent): TraceEvent;
  /** Answers a request of the messages endpoint. */
  send(sent: Sent & { attempt?: number; at?: Spot | null }): Answer;
  /** Runs a tool. */
  run(name: string, input: unknown, at?: Spot | null): Behaviour;
}

/**
 * @param scenario what the model says and what the tools do
 */
export function converse(scenario: Scenario): Conversation {
  const trace: TraceEvent[] = [];
  let turn = 0;
  let calls = 0;
  const add = (event: NewEvent): TraceEvent => {
    const whole = { seq: trace.length, turn, ...event } as TraceEvent;
    trace.push(whole);
    return whole;
  };
  return {
    trace,
    add,
    send: ({ attempt = 1, at = null, ...sent }) => {
      const whole = rebuildThread(trace, sent.body);
      const past = [...trace];
      const request = add({
        type: "request",
        body: sent.body,
        history: effectiveHistory(whole),
        tools: effectiveTools(whole),
        attempt,
        at,
      }) as RequestEvent;
      const given = answer(scenario, past, sent);
      const { headers: _, ...reply } = given;
      if (reply.kind === "message") turn += 1;
      add({ type: "reply", request: request.seq, ...reply } satisfies Omit<ReplyEvent, "seq" | "turn">);
      return given;
    },
    run: (name, input, at = null) => {
      const { answers, behaviour } = runTool(scenario, trace, name, input);
      calls += 1;
      add({ type: "tool-call", call: calls, name, input, answers, at });
      add({ type: "tool-result", call: calls, outcome: outcomeOf(behaviour) });
      return behaviour;
    },
  };
}

function outcomeOf(behaviour: Behaviour) {
  if (behaviour.kind === "returns") return { kind: "value", value: behaviour.value, nonce: behaviour.nonce } as const;
  if (behaviour.kind === "throws") return { kind: "error", message: behaviour.message } as const;
  return { kind: "hung" } as const;
}
