/** Why an audit with stand-ins stops: what was called is no tool's, or a tool may have been run past its stand-in. */
import { askedBy, delivered, markOf, ran } from "../diagnoses/find/calls.ts";
import { toJson } from "../diagnoses/find/json.ts";
import { code } from "../diagnoses/words/words.ts";
import type { JudgedRun } from "../grading/spec.ts";
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

/**
 * Why an audit with stand-ins may not go on: a call was answered though the stand-in for its tool was not asked, and nothing
 * in the answer says that the loop gave it without running the tool. What a stand-in gave for another call is a mix-up, and a
 * row's matter. Null where no call was.
 */
export function ranForReal(run: JudgedRun): Text | null {
  const asked = new Set(toolCallsOf(run).map(({ name }) => name));
  const given = ran(run.trace).flatMap(({ result }) => markOf(result?.outcome));
  const isOffered = (name: string) => run.scenario.tools.some((tool) => tool.name === name);
  const [found] = repliesOf(run)
    .filter(({ message }) => message.stop_reason === "tool_use")
    .flatMap((turn) => answersTo(run, turn)?.calls ?? [])
    .filter(({ name }) => isOffered(name) && !asked.has(name))
    .flatMap(({ name, results }) => results.map((result) => ({ name, result })))
    .filter(({ result }) => !saysNotRun(result) && !isAccidental(result))
    .filter(({ result }) => !given.some((mark) => toJson(textOf(result)).includes(mark)));
  if (found === undefined) return null;
  const name = code(found.name);
  const said = code(textOf(found.result), 80);
  const what = isAnError(found.result) ? { es: "el error", en: "the error" } : { es: "el resultado", en: "the result" };
  return {
    es: `La llamada de ${name} recibió ${what.es} ${said} sin que se usara su doble: puede que esa herramienta se haya ejecutado de verdad, así que la auditoría se detuvo. Nombra con --stub-tools el módulo donde está su función, exportada con el nombre de la herramienta o dentro de una lista o un objeto.`,
    en: `The call of ${name} was given ${what.en} ${said} and its stand-in was not asked: that tool may really have been run, so the audit stopped. Name with --stub-tools the module that holds its function, exported under the tool's name or within a list or an object.`,
  };
}
