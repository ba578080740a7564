import { defineExercise } from "#spec";

export default defineExercise({
  id: "1.1",
  title: { es: "Cuenta las llamadas", en: "Count the calls" },
  kind: "predict",
  teaches: [],
  quiz: {
    program: "count-the-calls.ts",
    family: (conversation) => [kettle(conversation % 3)],
    questions: [
      {
        kind: "number",
        key: "callModel",
        ask: { es: "¿Cuántas veces se llama a callModel?", en: "How many times is callModel called?" },
        idea: { es: "Quién pregunta al modelo, y cuándo.", en: "Who asks the model, and when." },
        answer: ([run]) => run!.counts.callModel,
      },
      {
        kind: "options",
        key: "ending",
        ask: { es: "¿Qué es cierto al terminar?", en: "What is true at the end?" },
        idea: { es: "Qué deja detrás el bucle cuando termina.", en: "What the loop leaves behind when it ends." },
        options: [
          {
            id: "returned",
            text: { es: "runAgent ha devuelto algo.", en: "runAgent has returned something." },
            holds: ([run]) => run!.outcome === "returned",
          },
          {
            id: "threw",
            text: { es: "runAgent ha lanzado un error.", en: "runAgent has thrown an error." },
            holds: ([run]) => run!.outcome === "threw",
          },
          {
            id: "model-answered",
            text: { es: "El modelo ha respondido al menos una vez.", en: "The model has replied at least once." },
            holds: ([run]) => run!.counts.callModel > 0,
          },
          {
            id: "tool-ran",
            text: { es: "Se ha ejecutado alguna herramienta.", en: "Some tool has been run." },
            holds: ([run]) => run!.counts.executeTool > 0,
          },
        ],
      },
    ],
  },
  criteria: [
    {
      id: "prediction",
      title: { es: "Predices lo que ocurre", en: "You predict what happens" },
      points: 40,
      on: "quiz",
      check: ({ quiz }) =>
        quiz?.right.length === 2 ? null : { es: "La predicción no es completa.", en: "The prediction is not complete." },
    },
  ],
  hints: [
    { es: "Lee el while.", en: "Read the while." },
    { es: "Hay dos líneas con callModel.", en: "There are two lines with callModel." },
    { es: "Son una más que las vueltas.", en: "It is one more than the laps." },
  ],
});

/** The tool is asked for so many times, once in each reply. */
function kettle(times: number) {
  return {
    title: { es: "La tetera", en: "The kettle" },
    userInput: { es: "¿Hay té?", en: "Is there any tea?" },
    tools: [
      {
        name: "boil",
        description: { es: "Pone agua a hervir.", en: "Boils water." },
        input_schema: { type: "object", properties: { cups: { type: "integer" } }, required: ["cups"] },
      },
    ],
    replies: [
      ...Array.from({ length: times }, (_, index) => ({
        calls: [
          {
            tool: "boil",
            input: { cups: index + 1 },
            does: { returns: { es: "hirviendo ({{nonce}})", en: "boiling ({{nonce}})" } },
          },
        ],
      })),
      { text: { es: "Aquí está el té. {{nonce}}", en: "Here is the tea. {{nonce}}" } },
    ],
  };
}
