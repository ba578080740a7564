import type { AuditReport } from "../../audit/report.ts";
import type { Lang } from "../../trace/text.ts";

export { toAuditTerminal } from "./terminal.ts";

/** A format of an audit beside the terminal's: a file in `formats/`, named as `--format` takes it, with this as its default export. */
export type AuditFormat = (report: AuditReport, lang: Lang) => string;

const files = import.meta.glob<AuditFormat>(["./formats/*.ts", "!./formats/*.test.ts"], {
  eager: true,
  import: "default",
});

/** Every format, by its name; none ends with a newline. */
export const auditFormats: Readonly<Record<string, AuditFormat>> = Object.fromEntries(
  Object.entries(files).map(([file, format]) => [file.replace(/^.*\/|\.ts$/g, ""), format]),
);
