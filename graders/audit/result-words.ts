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
  /\b(denied|declined|disallowed|forbidden|not (allowed|permitted|authori[sz]ed|approved|executed|run)|(needs|requires|awaiting|pending) (human |user |your )?(approval|confirmation|permission)|skipped|one (tool|call) at a time)\b/i,
  /denegad|rechazad|no (está |fue )?(permitid|autorizad|aprobad)|no se ejecut|(necesita|requiere|espera) (la )?(aprobación|confirmación|permiso)|omitid|de una en una|una (herramienta|llamada) a la vez/i,
  // A stand-in's own: it is what was called.
  /A stand-in was called that is no tool/,
];

/** Whether its words say that the tool was not run. */
export function saysNotRun(result: ToolResultBlock): boolean {
  return NOT_RUN.some((words) => words.test(textOf(result)));
}
