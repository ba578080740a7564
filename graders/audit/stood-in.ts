/** Why an audit with stand-ins stops: what was called is no tool's, or a tool may have been run past its stand-in. */
import { askedBy, delivered, markOf, ran } from "../diagnoses/find/calls.ts";
import { toJson } from "../diagnoses/find/json.ts";
import { code } from "../diagnoses/words/words.ts";
import type { JudgedRun } from "../grading/spec.ts";
import type { ToolResultBlock } from "../trace/api.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { answersTo, repliesOf, toolCallsOf } from "./judging.ts";
import { isAccidental, isAnError, saysNotRun, textOf } from "./result-words.ts";

/** A function was called that stands in for no tool, and not for a name of the model's: what it does is not known, and it ran nothing. */
export function strayIn({ trace, scenario }: Run): Text | null {
  const asked = delivered(trace).flatMap(askedBy);
  const names = new Set([...scenario.tools, ...asked].map(({ name }) => name));
  const found = trace.find((event) => event.type === "tool-call" && !names.has(event.name));
  return found?.type === "tool-call" ? stray(found.standIn ?? found.name) : null;
}

function stray(called: string): Text {
  const name = code(called);
  const makes = /^(create|make|build|get|load|init|setup|define|new)|tools?$|registry$|toolbox$/i.test(called);
  return makes
    ? {
        es: `Tu bucle llamó a ${name}, del módulo de --stub-tools, y no es la función de ninguna herramienta: parece que las crea o las busca. De ese módulo no se ejecuta ninguna función, así que expórtalas ya creadas (\`export const tools = …\`), o quita --stub-tools y permite las que quieras con --allow-tool.`,
        en: `Your loop called ${name}, of the module of --stub-tools, and it is no tool's function: it seems to make them or look them up. No function of that module is run, so export them made (\`export const tools = …\`), or leave out --stub-tools and allow those you want with --allow-tool.`,
      }
    : {
        es: `Tu bucle llamó a ${name}, del módulo de --stub-tools, y no se sabe de qué herramienta es: la auditoría se detuvo sin ejecutarla. Si ejecuta una herramienta, expórtala con el nombre de esta, o que reciba el nombre y los datos: \`${called}(name, input)\` o \`${called}({ name, input })\`. Si hace otra cosa, llévala a otro módulo. O quita --stub-tools y permite las que quieras con --allow-tool.`,
        en: `Your loop called ${name}, of the module of --stub-tools, and which tool it is of cannot be told: the audit stopped and did not run it. If it runs a tool, export it under that tool's name, or give it the name and the input: \`${called}(name, input)\` or \`${called}({ name, input })\`. If it does something else, move it to another module. Or leave out --stub-tools and allow the tools you want with --allow-tool.`,
      };
}

/** A call that was answered though the stand-in for its tool was not asked in that conversation. */
interface Unasked {
  name: string;
  result: ToolResultBlock;
}

/** What a stand-in gave for another call is a mix-up, and a row's matter. */
function unaskedIn(run: JudgedRun): Unasked[] {
  const asked = standInsAsked(run);
  const given = ran(run.trace).flatMap(({ result }) => markOf(result?.outcome));
  const isOffered = (name: string) => run.scenario.tools.some((tool) => tool.name === name);
  return repliesOf(run)
    .filter(({ message }) => message.stop_reason === "tool_use")
    .flatMap((turn) => answersTo(run, turn)?.calls ?? [])
    .filter(({ name }) => isOffered(name) && !asked.includes(name))
    .flatMap(({ name, results }) => results.map((result) => ({ name, result })))
    .filter(({ result }) => !given.some((mark) => toJson(textOf(result)).includes(mark)));
}

/** The loop's tools whose stand-ins were asked. */
function standInsAsked(run: JudgedRun): string[] {
  const names = toolCallsOf(run).map(({ name }) => name);
  return run.scenario.tools.map(({ name }) => name).filter((name) => names.includes(name));
}

/**
 * Why an audit with stand-ins may not go on: a call was answered though the stand-in for its tool was not asked, and nothing
 * in the answer says that the loop gave it without running the tool. Null where no call was.
 * An error is the loop's own answer where its tools plainly come from the stubbed module: one that is run elsewhere
 * would sooner or later give a value.
 * @param before the conversations played so far
 */
export function ranForReal(run: JudgedRun, before: readonly JudgedRun[]): Text | null {
  const inUse = [...before, run].some((each) => standInsAsked(each).length > 0);
  const found = unaskedIn(run).find(
    ({ result }) => !saysNotRun(result) && !isAccidental(result) && !(inUse && result.is_error === true),
  );
  if (found === undefined) return null;
  const name = code(found.name);
  const said = code(textOf(found.result), 80);
  const what = isAnError(found.result) ? { es: "el error", en: "the error" } : { es: "el resultado", en: "the result" };
  return {
    es: `La llamada de ${name} recibió ${what.es} ${said} sin que se usara su doble: puede que esa herramienta se haya ejecutado de verdad, así que la auditoría se detuvo. Nombra con --stub-tools el módulo donde está su función, exportada con el nombre de la herramienta o dentro de una lista o un objeto.`,
    en: `The call of ${name} was given ${what.en} ${said} and its stand-in was not asked: that tool may really have been run, so the audit stopped. Name with --stub-tools the module that holds its function, exported under the tool's name or within a list or an object.`,
  };
}

/** Which tools never got to their stand-ins in the whole audit, and what the model was told instead; null where each did. */
export function neverStoodIn(runs: readonly JudgedRun[]): Text | null {
  const asked = new Set(runs.flatMap(standInsAsked));
  const first = new Map<string, string>();
  for (const { name, result } of runs.flatMap(unaskedIn)) {
    if (!asked.has(name) && !first.has(name)) first.set(name, textOf(result));
  }
  if (first.size === 0) return null;
  const names = [...first].map(([name, said]) => `${code(name)} (${code(said, 80)})`).join(", ");
  return {
    es: `El doble de estas herramientas no se usó en ninguna conversación; tu bucle contestó a sus llamadas así: ${names}. Si eso no lo dice tu bucle sino la herramienta, es que se ejecutó de verdad: nombra su módulo con --stub-tools.`,
    en: `The stand-ins for these tools were not asked in any conversation; your loop answered their calls like this: ${names}. If it is not your loop that says so but the tool, then it was really run: name its module with --stub-tools.`,
  };
}
