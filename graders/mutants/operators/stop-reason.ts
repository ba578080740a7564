import type { StopReason } from "../../trace/api.ts";
import { type Change, type Code, child, isString, type Node, type Operator, ofType, replace, textOf } from "../code.ts";
import { reoperated } from "./flip-comparison.ts";

const STOP_REASONS: readonly StopReason[] = [
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
];

/** What is done for one stop reason is done for another, or for all but another. */
const stopReason: Operator = (code) => [
  ...ofType(code, "BinaryExpression").flatMap(({ node }) => compared(code, node)),
  ...ofType(code, "SwitchStatement").flatMap(({ node }) => cases(code, node)),
];

function compared(code: Code, node: Node): Change[] {
  const [left, right] = [child(node, "left")!, child(node, "right")!];
  const [reason, other] = isString(right) ? [right, left] : [left, right];
  if (!isString(reason) || !/stop_?reason/i.test(textOf(code, other))) return [];
  const [negation] = reoperated(code, node);
  return others(reason.value).flatMap((name) => {
    const renamed = replace(reason, JSON.stringify(name));
    return negation ? [[renamed], [renamed, negation]] : [[renamed]];
  });
}

function cases(code: Code, node: Node): Change[] {
  if (!/stop_?reason/i.test(textOf(code, child(node, "discriminant")!))) return [];
  return (node.cases as Node[]).flatMap((each) => {
    const reason = child(each, "test");
    return isString(reason) ? others(reason.value).map((name) => [replace(reason, JSON.stringify(name))]) : [];
  });
}

function others(value: string): readonly string[] {
  return STOP_REASONS.includes(value) ? STOP_REASONS.filter((reason) => reason !== value) : [];
}

export default stopReason;
