/** A tool whose call is the answer: the loop hands its input over and ends, and no result is ever sent. */
import { stable } from "../diagnoses/find/json.ts";
import { code } from "../diagnoses/words/words.ts";
import type { JudgedRun } from "../grading/spec.ts";
import { isToolUse } from "../trace/api.ts";
import { isRecord } from "../trace/json.ts";
import type { Text } from "../trace/text.ts";
import { handedBack } from "./handed-back.ts";
import { repliesOf } from "./judging.ts";

/** Which tool a run seems to have ended by: its last reply called it, and what it returned is that call's input. Null for none. */
export function finalToolOf(run: JudgedRun): string | null {
  const last = repliesOf(run).at(-1);
  if (run.outcome !== "returned" || last?.message.stop_reason !== "tool_use") return null;
  const { value } = handedBack(run);
  const call = last.message.content.filter(isToolUse).find(({ input }) => holdsInput(value, input));
  return call?.name ?? null;
}

/** Whether a value is an input, holds it whole, or is one of its fields. */
function holdsInput(value: unknown, input: unknown): boolean {
  const fields = Object.values(isRecord(input) ? input : {}).filter((field) => field !== null && field !== "");
  const has = stable(value);
  return fields.length > 0 && (has.includes(stable(input)) || fields.some((field) => stable(field) === has));
}

/** What to do where a run seems to have ended by a tool. */
export function leaveIt(tool: string): Text {
  const name = code(tool);
  return {
    es: `Si ${name} es la herramienta con la que el modelo entrega su respuesta, repite con --leave-tool ${tool}: no la pedirá.`,
    en: `If ${name} is the tool by which the model hands in its answer, try again with --leave-tool ${tool}: it will not ask for it.`,
  };
}
