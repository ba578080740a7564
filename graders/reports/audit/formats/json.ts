import type { AuditReport, BehaviourRow } from "../../../audit/report.ts";
import type { Lang } from "../../../trace/text.ts";
import { cleanDeep } from "../../clean.ts";
import { type RunDocument, runDocument } from "../../json/json.ts";
import { type AuditTotals, totalsOf } from "../totals.ts";

/** What `audit --json` prints. `audit.schema.json` describes each field; the shape only ever grows within a version. */
export interface AuditDocument {
  version: 1;
  kit: string;
  seed: string;
  lang: Lang;
  file: string;
  layers: string[];
  endpoint: string;
  refusedHosts: string[];
  tools: {
    kind: AuditReport["tools"]["kind"];
    list: { name: string; dangerous: boolean; called: boolean }[];
  };
  behaviours: BehaviourDocument[];
  totals: AuditTotals;
}

export interface BehaviourDocument {
  id: string;
  title: string;
  status: BehaviourRow["status"];
  severity: BehaviourRow["severity"];
  message: string;
  diagnosis: string | null;
  turn: number;
  file: string | null;
  line: number | null;
  column: number | null;
  next: string | null;
  ignored: string | null;
  runs: RunDocument[];
}

/** An audit as one document, in one language. No string of it holds a control character other than `\n` and `\t`. */
export function toAuditDocument(report: AuditReport, lang: Lang): AuditDocument {
  const { tools } = report;
  return cleanDeep<AuditDocument>({
    version: 1,
    kit: report.kit,
    seed: report.seed,
    lang,
    file: report.subject,
    layers: [...report.layers],
    endpoint: report.endpoint,
    refusedHosts: [...report.refusedHosts],
    tools: {
      kind: tools.kind,
      list: tools.list.map(({ name, dangerous, called }) => ({ name, dangerous, called })),
    },
    behaviours: report.behaviours.map((row) => behaviourDocument(row, lang)),
    totals: totalsOf(report),
  });
}

export default function json(report: AuditReport, lang: Lang): string {
  return JSON.stringify(toAuditDocument(report, lang), null, 2);
}

function behaviourDocument(row: BehaviourRow, lang: Lang): BehaviourDocument {
  const { at } = row;
  return {
    id: row.id,
    title: row.title[lang],
    status: row.status,
    severity: row.severity,
    message: row.message[lang],
    diagnosis: row.diagnosis,
    turn: row.turn,
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    next: row.next?.[lang] ?? null,
    ignored: row.ignored,
    runs: row.runs.map((run) => runDocument(run, lang)),
  };
}
