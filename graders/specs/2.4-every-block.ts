import { defineExercise } from "#spec";
import {
  answeredEveryCall,
  askedUntilDone,
  handsBackTheEnd,
  inEveryRun,
  keptHistory,
  ranEveryCall,
  withTools,
} from "./checks/checks.ts";

export default defineExercise({
  id: "2.4",
  title: { es: "Todos los bloques", en: "Every block" },
  kind: "debug",
  teaches: [
    "dropped-tool-result",
    "malformed-tool-result",
    "result-left-out",
    "wrong-tool-use-id",
    "duplicate-tool-result",
    "split-tool-results",
    "text-before-tool-results",
    "tool-not-run",
  ],
  scenarios: ["weather-one-call", "weather-two-cities-at-once", "weather-three-readings-at-once"],
  demands: ["whole-history"],
  criteria: [
    {
      id: "runs-every-call",
      title: {
        es: "Ejecuta una vez cada llamada, con los datos que escribió el modelo",
        en: "Runs every call once, with the input the model wrote",
      },
      points: 5,
      check: (work) => inEveryRun(work, [ranEveryCall], withTools),
    },
    {
      id: "answers-in-one-message",
      title: {
        es: "Todos los resultados van en un solo mensaje user, cada uno con su id",
        en: "All the results go in one user message, each under its own id",
      },
      points: 6,
      check: (work) => inEveryRun(work, [answeredEveryCall], withTools),
    },
    {
      id: "reaches-the-end",
      title: { es: "Llega a la respuesta final y la devuelve", en: "Reaches the final answer and returns it" },
      points: 5,
      check: (work) => inEveryRun(work, [keptHistory, askedUntilDone, handsBackTheEnd], withTools),
    },
  ],
  hints: [
    {
      es: "Una respuesta del modelo puede traer varios bloques tool_use. ¿Qué hace este programa con el segundo?",
      en: "One reply of the model may hold several tool_use blocks. What does this program do with the second one?",
    },
    {
      es: "`find` se queda con el primer bloque que cumple la condición. Necesitas todos, una ejecución por bloque y una lista de resultados que se envíe de una sola vez, después de recorrerlos.",
      en: "`find` keeps the first block that meets the condition. You need them all, one run per block, and a list of results that is sent in one go, after going through them.",
    },
    {
      es: 'Cambia `find` por `filter`; en un for (const call of calls) haz results.push({ type: "tool_result", tool_use_id: call.id, content: String(output) }); y después del for, una sola vez: messages.push({ role: "user", content: results });',
      en: 'Change `find` into `filter`; in a for (const call of calls) do results.push({ type: "tool_result", tool_use_id: call.id, content: String(output) }); and after the for, just once: messages.push({ role: "user", content: results });',
    },
  ],
});
