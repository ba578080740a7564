/** Where a place of an audit's report is, for tools that open files: paths from the folder that the audit was run in. */
import type { AuditReport } from "../../audit/report.ts";
import { cleanName } from "../clean.ts";

/** The audited file; null for a command, which is no file. */
export function subjectFile({ subject, kind }: AuditReport): string | null {
  return kind === "file" ? slashed(subject) : null;
}

/**
 * A file that the report names, as seen from the current folder. The report names files from their project's folder,
 * and the audited one as it was given: what stands before its name there stands before the others' too.
 */
export function pathOf(report: AuditReport, file: string): string {
  const own = slashed(file);
  const subject = subjectFile(report);
  if (subject === null) return own;
  const [name] = filesIn(report)
    .map(slashed)
    .filter((each) => subject === each || subject.endsWith(`/${each}`))
    .sort((a, b) => b.length - a.length);
  return name === undefined ? own : subject.slice(0, subject.length - name.length) + own;
}

/** A path as a URI reference: relative, unless the path is absolute. */
export function uriOf(path: string): string {
  const encoded = path
    .split("/")
    .map((part, index) => (index === 0 && /^[a-z]:$/i.test(part) ? part : encodeURIComponent(part)))
    .join("/");
  if (encoded.startsWith("/")) return `file://${encoded}`;
  return /^[a-z]:/i.test(encoded) ? `file:///${encoded}` : encoded;
}

function filesIn({ behaviours }: AuditReport): string[] {
  return behaviours.flatMap(({ at, runs }) => [
    ...(at ? [at.file] : []),
    ...runs.flatMap(({ findings, error }) =>
      [error?.at, ...findings.map((finding) => finding.at)].flatMap((spot) => (spot ? [spot.file] : [])),
    ),
  ]);
}

function slashed(path: string): string {
  return cleanName(path)
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/+)+/, "");
}
