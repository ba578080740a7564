import { jsonSchema, tool } from "ai";
import * as z from "zod";

/** Two tools of the `ai` library: one by zod, one by JSON Schema. */
export const tools = {
  get_weather: tool({
    description: "The weather in a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `Rain in ${city}.`,
  }),
  convert_temperature: tool({
    description: "Celsius to Fahrenheit.",
    inputSchema: jsonSchema<{ celsius: number }>({
      type: "object",
      properties: { celsius: { type: "integer" } },
      required: ["celsius"],
    }),
    execute: ({ celsius }) => ({ fahrenheit: (celsius * 9) / 5 + 32 }),
  }),
};
