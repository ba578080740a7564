/** The agents of common libraries, audited as a user would: what is said of each must be true of it. */
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Lang } from "../../trace/text.ts";
import { audit } from "../audit.ts";
import type { BehaviourRow } from "../report.ts";
import { openFile } from "../subject.ts";

const FOLDER = import.meta.dirname;
const OWN_TOOLS = ["get_weather", "convert_temperature"];

interface Program {
  file: string;
  allow?: readonly string[];
  stub?: string;
  lang?: Lang;
  /** Rows that do not hold: how bad, or why nothing can be said. */
  rows: Readonly<Record<string, string>>;
}

const NO_STREAM = { "mid-stream-error": "not-applicable" };
const UNSEEN_FAILURES = { "tool-throws": "not-observable", "one-of-two-throws": "not-observable" };
/** Where the text alone is handed back, nothing tells a cut-off text or a refusal from an answer. */
const TEXT_ALONE = {
  "truncated-text": "harms",
  refusal: "harms",
  "context-window": "harms",
};
/** `@ai-sdk/anthropic` makes `pause_turn` into the finish reason `stop`, and the loop ends. */
const AI = { "pause-turn": "harms" };
/** `@langchain/anthropic` sends no `is_error`, whatever the ToolMessage's status; the agent looks for calls, not at why the model stopped. */
const LANGGRAPH = { "tool-throws": "advice", "unknown-tool": "advice", "refusal-with-call": "harms" };

const PROGRAMS: Program[] = [
  { file: "ai-generate.ts", rows: { ...AI, ...NO_STREAM } },
  { file: "ai-stream.ts", rows: AI },
  { file: "langgraph.ts", lang: "es", rows: { ...LANGGRAPH, "pause-turn": "advice", ...NO_STREAM } },
  {
    file: "own-ai.ts",
    allow: OWN_TOOLS,
    rows: {
      ...AI,
      ...TEXT_ALONE,
      ...UNSEEN_FAILURES,
      ...NO_STREAM,
      "endless-model": "harms",
      "truncated-call": "harms",
    },
  },
  {
    file: "own-ai.ts",
    stub: "tools/ai.ts",
    lang: "es",
    rows: { ...AI, ...TEXT_ALONE, ...NO_STREAM, "endless-model": "harms", "truncated-call": "harms" },
  },
  {
    file: "own-langgraph.ts",
    allow: ["convert_temperature"],
    rows: {
      ...LANGGRAPH,
      ...TEXT_ALONE,
      ...UNSEEN_FAILURES,
      ...NO_STREAM,
      "pause-turn": "harms",
      "truncated-call": "not-observable",
    },
  },
  {
    file: "own-langgraph.ts",
    stub: "tools/langchain.ts",
    rows: { ...LANGGRAPH, ...TEXT_ALONE, ...NO_STREAM, "pause-turn": "harms" },
  },
  { file: "own-sdk-loop.ts", allow: OWN_TOOLS, rows: { ...UNSEEN_FAILURES, ...NO_STREAM } },
  { file: "own-sdk-loop.ts", stub: "tools/plain.ts", lang: "es", rows: NO_STREAM },
  { file: "own-tool-runner.ts", allow: OWN_TOOLS, rows: { ...UNSEEN_FAILURES, ...NO_STREAM } },
  { file: "own-tool-runner.ts", stub: "tools/beta.ts", rows: NO_STREAM },
];

for (const program of PROGRAMS) {
  const tools = program.stub ? "with stand-ins" : program.allow ? "with its own tools" : "with the kit's tools";
  test(`${program.file}, ${tools}`, async () => {
    const rows = await rowsOf(program);
    const told = rows.filter(({ status }) => status !== "holds");
    expect(Object.fromEntries(told.map((row) => [row.id, row.status === "fails" ? row.severity : row.status]))).toEqual(
      program.rows,
    );
  });
}

async function rowsOf({ file, allow = [], stub, lang = "en" }: Program): Promise<readonly BehaviourRow[]> {
  const opened = await openFile(join(FOLDER, file), {
    runtime: inject("runtime"),
    stubTools: stub && join(FOLDER, stub),
    sandboxed: false,
  });
  if (!opened.ok) throw new Error(opened.why.en);
  const settings = { ignore: {}, inputs: {}, allowTools: [...allow], maxCalls: 250 };
  const audited = await audit({ ...opened.value, kit: "test", seed: "frameworks", lang, settings });
  await opened.value.stage.close();
  if (!audited.ok) throw new Error(audited.why.en);
  return audited.report.behaviours;
}
