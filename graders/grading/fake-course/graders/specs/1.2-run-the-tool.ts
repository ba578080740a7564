import { defineExercise } from "#spec";

export default defineExercise({
  id: "1.2",
  title: { es: "Ejecuta la herramienta", en: "Run the tool" },
  kind: "build",
  teaches: ["stopped-early"],
  scenarios: ["kettle-on"],
  criteria: [
    {
      id: "runs-the-tool",
      title: { es: "Ejecuta lo que pide el modelo", en: "Runs what the model asks for" },
      points: 20,
      check: ({ runs }) =>
        runs.every(({ counts, scenario }) => counts.executeTool >= scenario.expected!.executeTool)
          ? null
          : { es: "No se ejecutó lo que pidió el modelo.", en: "What the model asked for was not run." },
    },
    {
      id: "hands-back-the-end",
      title: { es: "Devuelve la última respuesta", en: "Hands back the last reply" },
      points: 40,
      check: ({ runs }) => {
        const handedBack = runs.every(({ trace, findings }) => {
          if (findings.some(({ id }) => id === "state-shared-between-runs")) return false;
          const last = trace.findLast((event) => event.type === "reply");
          const value = trace.find((event) => event.type === "settled")?.value ?? null;
          const text = last?.message?.content.find((block) => block.type === "text")?.text;
          const ended = last?.message?.stop_reason === "end_turn" && text !== undefined;
          return ended && JSON.stringify(value).includes(JSON.stringify(text).slice(1, -1));
        });
        return handedBack ? null : { es: "No devolvió el final.", en: "It did not hand back the end." };
      },
    },
  ],
  hints: [
    { es: "¿Quién ejecuta la herramienta?", en: "Who runs the tool?" },
    { es: "El resultado vuelve al modelo.", en: "The result goes back to the model." },
    { es: "Repite mientras stop_reason sea tool_use.", en: "Go on while stop_reason is tool_use." },
  ],
});
