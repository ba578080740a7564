/** Two tools as functions: what the programs beside it dispatch to. */
const toolkit: Record<string, (input: Record<string, unknown>) => unknown> = {
  get_weather: ({ city }) => `Rain in ${city}.`,
  convert_temperature: ({ celsius }) => ({ fahrenheit: (Number(celsius) * 9) / 5 + 32 }),
};

export async function runTool(name: string, input: unknown): Promise<unknown> {
  const tool = Object.hasOwn(toolkit, name) ? toolkit[name] : undefined;
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool(input as Record<string, unknown>);
}
