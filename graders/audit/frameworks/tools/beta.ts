import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import * as z from "zod";

/** Two tools of the SDK's own kind: one by JSON Schema, one by zod. */
export const tools = [
  betaTool({
    name: "get_weather",
    description: "The weather in a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    run: ({ city }) => `Rain in ${city}.`,
  }),
  betaZodTool({
    name: "convert_temperature",
    description: "Celsius to Fahrenheit.",
    inputSchema: z.object({ celsius: z.number().int() }),
    run: ({ celsius }) => `${(celsius * 9) / 5 + 32} °F`,
  }),
];
