import { codeFrame } from "../sandbox/compile/frame.ts";
import type { Run } from "../trace/run.ts";
import type { RunGrade } from "./grade.ts";
import type { JudgedRun } from "./spec.ts";

/** A judged run as plain data, with the lines round each finding. */
export function runGrade(run: JudgedRun): RunGrade {
  const { expected } = run.scenario;
  return {
    scenario: run.scenario.name,
    title: run.scenario.title,
    outcome: run.outcome,
    kind: run.kind,
    counts: run.counts,
    expected: expected && { callModel: expected.callModel, executeTool: expected.executeTool },
    findings: run.findings.map((finding) => ({ ...finding, frame: frameOf(run, finding.at) })),
    error: run.error && { ...run.error, at: run.at },
    printed: run.printed,
    ms: run.ms,
  };
}

function frameOf(run: Run, at: Run["at"]) {
  return at ? codeFrame(run.source, at) : null;
}
