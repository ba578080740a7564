/** One conversation with the model: it answers requests and tool calls by the scenario, and writes down all that happens. */
import { isToolResult, isToolUse } from "../trace/api.ts";
import type { ReplyEvent, RequestEvent, Spot, Trace, TraceEvent } from "../trace/events.ts";
import type { Behaviour, Scenario } from "../trace/scenario.ts";
import { answerAside } from "./aside.ts";
import { effectiveHistory, effectiveTools } from "./history.ts";
import { type Answer, answer, type Count, count, type Sent } from "./model.ts";
import { rebuildThread } from "./threads.ts";
import { runTool } from "./tools.ts";

type Distribute<T> = T extends TraceEvent ? Omit<T, "seq" | "turn"> : never;
export type NewEvent = Distribute<TraceEvent>;

export interface Conversation {
  readonly trace: Trace;
  /** Writes down what happened elsewhere. */
  add(event: NewEvent): TraceEvent;
  /** Answers a request of the messages endpoint. */
  send(sent: Sent & { attempt?: number; at?: Spot | null; underWay?: readonly number[] | undefined }): Answer;
  /** Answers a request that only wants the conversation counted. */
  count(sent: Sent & { at?: Spot | null }): Count;
  /** Runs a tool. */
  run(name: string, input: unknown, at?: Spot | null, standIn?: string): Behaviour;
}

/**
 * How tools are seen. `calls`: each is run here. `results`: they run where nobody can watch, and the first result that
 * arrives for a call is taken for its run.
 */
export type ToolsSeen = "calls" | "results";

/**
 * @param scenario what the model says and what the tools do
 */
export function converse(scenario: Scenario, toolsSeen: ToolsSeen = "calls"): Conversation {
  const trace: TraceEvent[] = [];
  let turn = 0;
  let calls = 0;
  const add = (event: NewEvent): TraceEvent => {
    const whole = { seq: trace.length, turn, ...event } as TraceEvent;
    trace.push(whole);
    return whole;
  };
  /** Calls that a result has arrived for. */
  const ran = new Set<string>();
  const noteRuns = (body: unknown) => {
    const asked = trace.flatMap((event) =>
      event.type === "reply" ? (event.message?.content.filter(isToolUse) ?? []) : [],
    );
    const results = effectiveHistory(body).flatMap(({ content }) => content.filter(isToolResult));
    for (const { tool_use_id: id, content, is_error } of results) {
      const call = asked.find((block) => block.id === id);
      if (call === undefined || ran.has(id)) continue;
      ran.add(id);
      calls += 1;
      add({ type: "tool-call", call: calls, name: call.name, input: call.input, answers: id, at: null });
      const outcome =
        is_error === true
          ? ({ kind: "error", message: textOf(content) } as const)
          : ({ kind: "value", value: content ?? "", nonce: null } as const);
      add({ type: "tool-result", call: calls, outcome });
    }
  };
  return {
    trace,
    add,
    send: ({ attempt = 1, at = null, underWay = [], ...sent }) => {
      const whole = rebuildThread(trace, sent.body);
      if (toolsSeen === "results") noteRuns(whole);
      const beside = answerAside(scenario, trace, sent);
      if (beside !== null) {
        add({ type: "aside", body: sent.body, message: beside.message!, at });
        return beside;
      }
      const past = [...trace];
      const request = add({
        type: "request",
        body: sent.body,
        history: effectiveHistory(whole),
        tools: effectiveTools(whole),
        attempt,
        ...(underWay.length > 0 && { underWay }),
        at,
      }) as RequestEvent;
      const given = answer(scenario, past, sent);
      const { headers: _, events: __, ...reply } = given;
      if (reply.kind === "message") turn += 1;
      add({ type: "reply", request: request.seq, ...reply } satisfies Omit<ReplyEvent, "seq" | "turn">);
      return given;
    },
    count: ({ at = null, ...sent }) => {
      const counted = count(scenario, trace, sent);
      add({ type: "count-tokens", body: sent.body, status: counted.status, at });
      return counted;
    },
    run: (name, input, at = null, standIn) => {
      const { answers, behaviour } = runTool(scenario, trace, name, input);
      calls += 1;
      add({ type: "tool-call", call: calls, name, input, answers, ...(standIn !== undefined && { standIn }), at });
      add({ type: "tool-result", call: calls, outcome: outcomeOf(behaviour) });
      return behaviour;
    },
  };
}

/** The text of a result's content. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks.map((block) => (typeof block?.text === "string" ? block.text : "")).join("\n");
}

function outcomeOf(behaviour: Behaviour) {
  if (behaviour.kind === "returns") return { kind: "value", value: behaviour.value, nonce: behaviour.nonce } as const;
  if (behaviour.kind === "throws") return { kind: "error", message: behaviour.message } as const;
  return { kind: "hung" } as const;
}
