import { expect, test } from "vitest";
import { openTestScript } from "../testing/play.ts";
import { noCall, script } from "../testing/scripts.ts";
import { LANGS } from "../trace/text.ts";
import { linesOf, opening } from "./log.ts";
import type { Happening } from "./trying.ts";

const request: Extract<Happening, { event: "request" }> = {
  ...{ event: "request", conversation: 1, turn: 2, messages: 3, tools: ["read_logs", "restart_service"] },
  results: [
    { name: "read_logs", isError: false, content: "one\ntwo" },
    { name: "restart_service", isError: true, content: "x".repeat(300) },
  ],
};
const reply: Extract<Happening, { event: "reply" }> = {
  ...{ event: "reply", status: 200, kind: "message", stopReason: "tool_use", text: "I will look.", broke: null },
  ...{ calls: [{ name: "read_logs", input: { service: "api" } }], error: null, final: false },
};
const overloaded = { type: "overloaded_error", message: "Overloaded" };
const failed: typeof reply = { ...reply, kind: "fault", stopReason: null, text: "", calls: [], error: overloaded };
const invalid = { type: "invalid_request_error", message: "max_tokens: Field required" };
const finding = { id: "stopped-early", weight: "fault", turn: 2, headline: { es: "Paró", en: "Stopped" } } as const;
const advice = { ...finding, id: "tools-not-resent", weight: "advice", turn: 1 } as const;

const CASES: Record<string, [Happening, string[], string[]]> = {
  request: [
    request,
    [
      "→ turno 2 · 3 mensajes · ofrece read_logs, restart_service",
      "    read_logs: one two",
      `    restart_service (is_error): ${"x".repeat(99)}…`,
    ],
    [
      "→ turn 2 · 3 messages · offers read_logs, restart_service",
      "    read_logs: one two",
      `    restart_service (is_error): ${"x".repeat(99)}…`,
    ],
  ],
  "another conversation": [
    { ...request, conversation: 2, turn: 1, messages: 1, tools: [], results: [] },
    ["→ conversación 2 · turno 1 · 1 mensaje · sin herramientas"],
    ["→ conversation 2 · turn 1 · 1 message · no tools"],
  ],
  "untrusted names": [
    { ...request, tools: ["a\u001b[2J\nb"], results: [] },
    ["→ turno 2 · 3 mensajes · ofrece a b"],
    ["→ turn 2 · 3 messages · offers a b"],
  ],
  reply: [
    reply,
    ['  ← 200 tool_use · read_logs({"service":"api"}) · I will look.'],
    ['  ← 200 tool_use · read_logs({"service":"api"}) · I will look.'],
  ],
  "an empty reply": [
    { ...reply, stopReason: "end_turn", text: "", calls: [] },
    ["  ← 200 end_turn"],
    ["  ← 200 end_turn"],
  ],
  rejection: [
    { ...failed, status: 400, kind: "rejection", error: invalid },
    ["  ← 400 invalid_request_error: max_tokens: Field required"],
    ["  ← 400 invalid_request_error: max_tokens: Field required"],
  ],
  fault: [
    { ...failed, status: 529 },
    ["  ← 529 overloaded_error: Overloaded (lo pide el guion)"],
    ["  ← 529 overloaded_error: Overloaded (the script asks for it)"],
  ],
  "an error in mid-stream": [
    { ...failed, broke: "error" },
    ["  ← 200, y a mitad del stream: overloaded_error: Overloaded"],
    ["  ← 200, and in mid-stream: overloaded_error: Overloaded"],
  ],
  "a cut stream": [
    { ...failed, error: null, broke: "cut" },
    ["  ← 200, y el stream se corta a la mitad"],
    ["  ← 200, and the stream is cut"],
  ],
  count: [{ event: "count", status: 200 }, ["→ count_tokens  ← 200"], ["→ count_tokens  ← 200"]],
  elsewhere: [
    { event: "elsewhere", method: "GET", path: "/v1/\u001b[31mmodels" },
    ["→ GET /v1/models  ← 404: aquí no hay nada"],
    ["→ GET /v1/models  ← 404: there is nothing here"],
  ],
  found: [
    { event: "found", why: "over", findings: [finding, advice] },
    [
      "",
      "El modelo dijo todo lo que tenía en el guion. Hasta aquí:",
      "  ✗ Paró (turno 2)",
      "    npx bucle explain stopped-early",
      "  · Paró (turno 1)",
      "    npx bucle explain tools-not-resent",
      "Una petición con un historial nuevo empieza otra vez desde el principio.",
      "",
    ],
    [
      "",
      "The model has said all that its script holds. So far:",
      "  ✗ Stopped (turn 2)",
      "    npx bucle explain stopped-early",
      "  · Stopped (turn 1)",
      "    npx bucle explain tools-not-resent",
      "A request with a fresh history starts over.",
      "",
    ],
  ],
  end: [
    {
      event: "end",
      conversations: 2,
      counts: { callModel: 1, executeTool: 0, httpRequests: 3, rejected: 1, faulted: 1 },
    },
    [
      "",
      "2 conversaciones · 3 peticiones · 1 respuesta del modelo · 0 herramientas ejecutadas · 1 petición rechazada · 1 fallo del guion",
    ],
    ["", "2 conversations · 3 requests · 1 reply · 0 tool runs · 1 request rejected · 1 fault of the script"],
  ],
};

test.each(Object.entries(CASES))("%s", (_what, [happening, es, en]) => {
  expect(linesOf(happening, "es")).toEqual(es);
  expect(linesOf(happening, "en")).toEqual(en);
});

test("a conversation that is stopped, or left, says so", () => {
  for (const lang of LANGS) {
    const [stopped, left] = (["stopped", "left"] as const).map((why) =>
      linesOf({ event: "found", why, findings: [] }, lang),
    );
    expect(stopped![1]).not.toBe(left![1]);
    expect(stopped).toHaveLength(left!.length + 2);
  }
});

test("without tools none are asked to be offered", () => {
  const scenario = { ...openTestScript(script(noCall)), tools: [] };
  for (const lang of LANGS) {
    const rows = opening(scenario, "http://127.0.0.1:1", lang).join("\n");
    expect(rows).toContain(scenario.userInput);
    expect(rows).not.toContain("`tools`");
  }
});
