import { StructuredTool, tool } from "@langchain/core/tools";
import * as z from "zod";

const celsius = z.object({ celsius: z.number().int() });

/** A tool by inheritance, as LangChain has them too. */
class ConvertTemperature extends StructuredTool {
  name = "convert_temperature";
  description = "Celsius to Fahrenheit.";
  schema = celsius;
  protected async _call({ celsius }: { celsius: number }): Promise<string> {
    return `${(celsius * 9) / 5 + 32} °F`;
  }
}

/** Two tools of LangChain: one by function, one by class. */
export const tools = [
  tool(({ city }: { city: string }) => `Rain in ${city}.`, {
    name: "get_weather",
    description: "The weather in a city.",
    schema: z.object({ city: z.string() }),
  }),
  new ConvertTemperature(),
];
