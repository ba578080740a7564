/** What the words of a `tool_result` give away of how it came about, where nothing else tells. */
import type { ToolResultBlock } from "../trace/api.ts";
import { isRecord } from "../trace/json.ts";

/** Its text: of blocks, those of all that have one. */
export function textOf({ content }: ToolResultBlock): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return blocks.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
}

/** Flagged, or by its words: some libraries send their own refusal to run a tool (its input does not fit, say) unflagged. */
export function isAnError(result: ToolResultBlock): boolean {
  return result.is_error === true || /^\W*(\w*error\b|invalid|failed)/i.test(textOf(result));
}

/** Of the JavaScript engine: of a value that does not allow what was done with it. */
const ACCIDENT =
  /\b(Type|Reference|Syntax|Range)Error\b|is not (a function|a constructor|defined|iterable|valid JSON)|Cannot (read|set|use|destructure|convert|access) |Unexpected (token|end of|non-whitespace)|Cannot find (module|package)|\bENOENT\b/;

/** Whether its words are those of an error that the language threw. */
export function isAccidental(result: ToolResultBlock): boolean {
  return ACCIDENT.test(textOf(result));
}

/** Of a loop that does not find a tool which it offers itself. */
const UNKNOWN =
  /\b(unknown|no such) (tool|function)\b|\b(tool|function)\b.{0,40}\b(not found|does ?n[o']t exist)|herramienta desconocida|no (existe|se encontró) (la|esa|ninguna|una) herramienta|herramienta.{0,40}(no existe|no se encontró)/i;

/** Whether its words say that there is no such tool. */
export function saysUnknown(result: ToolResultBlock): boolean {
  return UNKNOWN.test(textOf(result));
}

/** Of whoever did not run the tool: it is not known, its input does not fit, it was not allowed, it was not its turn. */
const NOT_RUN = [
  UNKNOWN,
  /\b(not a known|unrecognized|unsupported|undefined) (tool|function)\b|\b(tool|function)\b.{0,40}\bnot (known|available|registered|defined|configured|supported)|no hay (esa|ninguna) herramienta|herramienta.{0,40}no está disponible/i,
  /\b(invalid|malformed) (tool )?(input|arguments?|parameters?)\b|\b(input|arguments?|parameters?)\b.{0,40}\b(not (match|valid|fit)|invalid|schema)|validation (error|failed)/i,
  /entrada (no válida|inválida)|argumentos (no válidos|inválidos)/i,
  /\b(denied|declined|disallowed|forbidden|not (allowed|permitted|authori[sz]ed|approved|confirmed|executed|run)|(needs|requires|awaiting|pending|without|no) (human |user |your )?(approval|confirmation|permission)|skipped)\b/i,
  /\b(did not|didn['’]t|has not|hasn['’]t|have not|haven['’]t|does not|doesn['’]t) (yet )?(approve|allow|permit|authori[sz]e|confirm|consent)/i,
  // What a tool of the user's may say of an order or a payment, too: only of the call itself, or by whom.
  /\b(call|action|request|tool( use)?)\b.{0,30}\b(rejected|cancell?ed|blocked|refused|aborted)\b|\b(rejected|cancell?ed|blocked|refused|aborted) by (the |a |your )?(user|human|operator|policy|guardrail|reviewer|approver)\b/i,
  /\b(user|human|operator|policy|guardrail|reviewer|approver) (has )?(rejected|cancell?ed|blocked|blocks|refused|aborted) (this|that|the|it\b)/i,
  /\bonly one\b.{0,40}\b(per|at a time|at once|allowed|is run)\b|\bone (tool|call) at a time\b|\b(call|tool|rate|usage) limit\b|\blimit (reached|exceeded)\b/i,
  /denegad|rechazad|no (está |fue |ha sido )?(permitid|autorizad|aprobad|confirmad)|no se (ejecut|permit|aprob|autoriz|confirm)|(necesita|requiere|espera|falta|sin) (la |tu |una )?(aprobación|confirmación|permiso)|omitid/i,
  /no (lo |la |los |las )?(ha )?(aprob|autoriz|permit|confirm)(ó|ado|ido|itió)/i,
  /(llamada|acción|petición|herramienta).{0,30}(cancelad|bloquead|abortad)|(cancelad|bloquead|abortad)[oa]s? por (el |la |un |una |tu )?(usuari|persona|operador|política|revisor)|(usuari[oa]|persona|operadora?|política|revisora?) (rechazó|canceló|bloqueó|bloquea|denegó)/i,
  /de una en una|una (herramienta|llamada) a la vez|\bs[oó]lo (se (permite|ejecuta) )?un[ao]?\b.{0,40}\b(por|a la vez)\b|límite de (llamadas|uso|frecuencia)|(alcanzó|superó) el límite/i,
  // A stand-in's own: it is what was called.
  /A stand-in was called that is no tool/,
];

/** Whether its words say that the tool was not run. */
export function saysNotRun(result: ToolResultBlock): boolean {
  return NOT_RUN.some((words) => words.test(textOf(result)));
}
