import type { AuditReport, BehaviourRow, Severity } from "../../audit/report.ts";

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ["breaks", "harms", "advice"];

/** How many rows stand how. `fails` is the sum of the three that follow it; what is ignored is counted apart. */
export interface AuditTotals {
  holds: number;
  fails: number;
  breaks: number;
  harms: number;
  advice: number;
  ignored: number;
  notApplicable: number;
  notObservable: number;
}

export function totalsOf({ behaviours }: AuditReport): AuditTotals {
  const count = (is: (row: BehaviourRow) => boolean) => behaviours.filter(is).length;
  const failing = (severity: Severity) => count((row) => isFailure(row) && row.severity === severity);
  return {
    holds: count(({ status }) => status === "holds"),
    fails: count(isFailure),
    breaks: failing("breaks"),
    harms: failing("harms"),
    advice: failing("advice"),
    ignored: count(({ status, ignored }) => status === "fails" && ignored !== null),
    notApplicable: count(({ status }) => status === "not-applicable"),
    notObservable: count(({ status }) => status === "not-observable"),
  };
}

/** It fails, and nobody has accepted that. */
export function isFailure({ status, ignored }: BehaviourRow): boolean {
  return status === "fails" && ignored === null;
}
