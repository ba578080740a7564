import { callModel, executeTool, type MessageParam, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  // 1. Pregunta al modelo. / Ask the model.
  // 2. Ejecuta todo lo que pida. / Run everything it asks for.
  // 3. Guarda lo que dijo y lo que salió, y vuelve a preguntar. / Keep what it said and what came out, and ask again.
  // 4. Cuando ya no pida nada, devuelve el texto final. / When it asks for nothing more, return the final text.
  throw new Error("runAgent: todavía sin escribir / not written yet");
}
