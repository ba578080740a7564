/** SARIF 2.1.0: what code scanning and editors read. */
import type { Location, Log, ReportingDescriptor, Result } from "sarif";
import type { AuditReport, BehaviourRow, Severity } from "../../../audit/report.ts";
import type { Lang, Text } from "../../../trace/text.ts";
import { cleanDeep, cleanName } from "../../clean.ts";
import { pathOf, subjectFile, uriOf } from "../place.ts";
import { totalsOf } from "../totals.ts";
import { coverage, severities } from "../words.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
const SOURCE_ROOT = "%SRCROOT%";

const LEVELS: Record<Severity, "error" | "warning" | "note"> = { breaks: "error", harms: "warning", advice: "note" };

/** A rule for each behaviour, a result for each that fails; those that were accepted are suppressed, with the reason. */
export default function sarif(report: AuditReport, lang: Lang): string {
  const log: Log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Bucle",
            version: report.kit,
            semanticVersion: report.kit,
            language: lang,
            rules: report.behaviours.map((row) => ruleOf(row, lang)),
          },
        },
        language: lang,
        invocations: [{ executionSuccessful: true }],
        originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: ROOT[lang] } } },
        columnKind: "utf16CodeUnits",
        results: report.behaviours.flatMap((row, index) =>
          row.status === "fails" ? resultOf(report, row, index, lang) : [],
        ),
        properties: {
          subject: report.subject,
          seed: report.seed,
          layers: [...report.layers],
          endpoint: report.endpoint,
          coverage: coverage(report.endpoint)[lang],
          refusedHosts: [...report.refusedHosts],
          totals: totalsOf(report),
        },
      },
    ],
  };
  return JSON.stringify(cleanDeep(log), null, 2);
}

function ruleOf({ id, title, severity }: BehaviourRow, lang: Lang): ReportingDescriptor {
  const text = title[lang];
  return {
    id,
    shortDescription: { text },
    fullDescription: { text: `${RULE[lang]} ${text}.` },
    help: {
      text: `${RULE[lang]} ${text}.\n\n${FAILURE[lang]} ${severities[severity][lang]}.\n\n${ACCEPT[lang]} --ignore ${id}=${REASON[lang]}`,
      markdown: `${RULE[lang]} **${text}.**\n\n${FAILURE[lang]} ${severities[severity][lang]}.\n\n${ACCEPT[lang]} \`--ignore ${id}=${REASON[lang]}\``,
    },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function resultOf(report: AuditReport, row: BehaviourRow, ruleIndex: number, lang: Lang): Result {
  const { diagnosis, next, turn } = row;
  const paragraphs = [
    row.message[lang],
    ...(next ? [`→ ${next[lang]}`] : []),
    ...(diagnosis ? [`npx bucle explain ${diagnosis}`] : []),
  ];
  return {
    ruleId: row.id,
    ruleIndex,
    level: LEVELS[row.severity],
    message: { text: paragraphs.join("\n") },
    locations: [locationOf(report, row)],
    // The standard wants it on every result or on none: an empty list says that nobody has accepted it.
    suppressions: row.ignored === null ? [] : [{ kind: "external", status: "accepted", justification: row.ignored }],
    properties: { diagnosis, turn },
  };
}

/** The line; without one the audited file; for a command, which has no file, its name. */
function locationOf(report: AuditReport, { at }: BehaviourRow): Location {
  const path = at ? pathOf(report, at.file) : subjectFile(report);
  if (path === null) return { logicalLocations: [{ name: cleanName(report.subject), kind: "module" }] };
  const uri = uriOf(path);
  return {
    physicalLocation: {
      artifactLocation: uri.startsWith("file:") ? { uri } : { uri, uriBaseId: SOURCE_ROOT },
      ...(at ? { region: { startLine: at.line, startColumn: at.column } } : {}),
    },
  };
}

const ROOT: Text = { es: "La carpeta desde la que se hizo la auditoría.", en: "The folder that the audit was run in." };
const RULE: Text = { es: "Lo que hace un bucle que cumple:", en: "What a loop that holds does:" };
const FAILURE: Text = { es: "Qué significa que falle:", en: "What a failure means:" };
const ACCEPT: Text = { es: "Para aceptar la falla, con su motivo:", en: "To accept the failure, with its reason:" };
const REASON: Text = { es: "motivo", en: "reason" };
