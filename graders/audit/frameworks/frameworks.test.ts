/** The agents of common libraries, audited as a user would: what is said of each must be true of it. */
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Lang } from "../../trace/text.ts";
import { audit } from "../audit.ts";
import type { BehaviourRow } from "../report.ts";
import { openFile } from "../subject.ts";

const FOLDER = import.meta.dirname;
/** `BUCLE_AUDIT_ALL=1` plays every program, as `.ci/run` does; else there is one of each kind. */
const ALL = process.env.BUCLE_AUDIT_ALL === "1";
const OWN_TOOLS = ["get_weather", "convert_temperature"];

interface Program {
  file: string;
  allow?: readonly string[];
  stub?: string;
  lang?: Lang;
  /** Played every time; the others where all are asked for. */
  always?: true;
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
/** `@ai-sdk/anthropic` makes `pause_turn` into the finish reason `stop`, and the loop ends. No tool is offered that could bring one. */
const AI = { "pause-turn": "advice" };
/**
 * `@langchain/anthropic` sends no `is_error`, whatever the ToolMessage's status. The agent looks whether there are calls, and
 * not at why the model stopped: it ends at a pause, and runs what a refusal or `max_tokens` left behind, if its input fits.
 */
const LANGGRAPH = { "tool-throws": "advice", "unknown-tool": "advice", "refusal-with-call": "harms" };

const PROGRAMS: Program[] = [
  { file: "ai-generate.ts", always: true, rows: { ...AI, ...NO_STREAM } },
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
    always: true,
    lang: "es",
    rows: { ...AI, ...TEXT_ALONE, ...NO_STREAM, "endless-model": "harms", "truncated-call": "harms" },
  },
  {
    file: "own-langgraph.ts",
    allow: ["convert_temperature"],
    always: true,
    rows: {
      ...LANGGRAPH,
      ...TEXT_ALONE,
      ...UNSEEN_FAILURES,
      ...NO_STREAM,
      "pause-turn": "advice",
      "truncated-call": "not-observable",
    },
  },
  {
    file: "own-langgraph.ts",
    allow: ["get_weather"],
    rows: {
      ...LANGGRAPH,
      ...TEXT_ALONE,
      ...UNSEEN_FAILURES,
      ...NO_STREAM,
      "pause-turn": "advice",
      "truncated-call": "harms",
    },
  },
  {
    file: "own-langgraph-stream.ts",
    stub: "tools/langchain.ts",
    always: true,
    // A stream that ends without `message_stop` is taken for whole: its `stop_reason` stays null.
    rows: { ...LANGGRAPH, "pause-turn": "advice", "mid-stream-error": "harms" },
  },
  {
    file: "own-langgraph.ts",
    stub: "tools/langchain.ts",
    rows: { ...LANGGRAPH, ...TEXT_ALONE, ...NO_STREAM, "pause-turn": "advice" },
  },
  { file: "own-sdk-loop.ts", allow: OWN_TOOLS, always: true, rows: { ...UNSEEN_FAILURES, ...NO_STREAM } },
  { file: "own-sdk-loop.ts", stub: "tools/plain.ts", always: true, lang: "es", rows: NO_STREAM },
  { file: "own-tool-runner.ts", allow: OWN_TOOLS, rows: { ...UNSEEN_FAILURES, ...NO_STREAM } },
  { file: "own-tool-runner.ts", stub: "tools/beta.ts", always: true, rows: NO_STREAM },
];

for (const program of PROGRAMS) {
  const own = program.allow && `with its own tools (${program.allow.join(", ")})`;
  const tools = program.stub ? "with stand-ins" : (own ?? "with the kit's tools");
  test.skipIf(!ALL && !program.always)(`${program.file}, ${tools}`, async () => {
    const rows = await rowsOf(program);
    const told = rows.filter(({ status }) => status !== "holds");
    // What LangGraph sets off, or a stream, is not followed back to the line that asked for it.
    const failed = told.filter(({ status }) => status === "fails" && !/langgraph|stream/.test(program.file));
    expect(failed.map(({ at }) => at?.file.split("/").at(-1))).toEqual(failed.map(() => program.file));
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
  const settings = { ignore: {}, inputs: {}, allowTools: [...allow], leaveTools: [], maxCalls: 250 };
  const audited = await audit({ ...opened.value, kit: "test", seed: "frameworks", lang, settings });
  await opened.value.stage.close();
  if (!audited.ok) throw new Error(audited.why.en);
  return audited.report.behaviours;
}
