import type { Text } from "../trace/text.ts";
import type { CourseExercise } from "./course.ts";

/**
 * The JSON Schema of an exercise's `answers.json`, so that an editor offers keys and options as the student types.
 * @returns the file's whole text
 */
export function answersSchema(exercise: CourseExercise): string {
  const questions = exercise.quiz?.questions ?? [];
  const answer = (question: (typeof questions)[number]) =>
    question.kind === "number"
      ? { type: ["integer", "null"], minimum: 0, description: both(question.ask) }
      : {
          type: ["array", "null"],
          minItems: 1,
          uniqueItems: true,
          description: both(question.ask),
          items: { oneOf: question.options.map(({ id, text }) => ({ const: id, description: both(text) })) },
        };
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: both(exercise.title),
    type: "object",
    properties: {
      $schema: { type: "string" },
      conversation: {
        type: "integer",
        minimum: 1,
        description: both({
          es: "Qué conversación respondes; `npx bucle check` la muestra.",
          en: "Which conversation you answer; `npx bucle check` shows it.",
        }),
      },
      ...Object.fromEntries(questions.map((question) => [question.key, answer(question)])),
    },
    required: ["conversation", ...questions.map(({ key }) => key)],
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function both(text: Text): string {
  return `${text.es} / ${text.en}`;
}
