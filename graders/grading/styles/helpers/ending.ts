import type { Message } from "#harness";

export function ending({ stop_reason }: Message): "goes on" | "answered" | "unfinished" {
  if (stop_reason === "tool_use" || stop_reason === "pause_turn") return "goes on";
  return stop_reason === "end_turn" || stop_reason === "stop_sequence" ? "answered" : "unfinished";
}
