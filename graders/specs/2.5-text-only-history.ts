import { defineExercise } from "#spec";
import {
  answeredEveryCall,
  askedUntilDone,
  gaveBackWholeTurns,
  handsBackTheEnd,
  inEveryRun,
  keptHistory,
  withTools,
} from "./checks/checks.ts";

export default defineExercise({
  id: "2.5",
  title: { es: "Un historial de puro texto", en: "Text-only history" },
  kind: "debug",
  teaches: [
    "text-only-history",
    "missing-assistant-turn",
    "turns-out-of-order",
    "wrong-role",
    "history-cut-short",
    "partial-turn",
    "rewritten-history",
  ],
  scenarios: ["calendar-find-and-book", "calendar-opens-without-text", "calendar-thinks-first"],
  demands: ["whole-history"],
  criteria: [
    {
      id: "whole-turns",
      title: {
        es: "Cada respuesta del modelo vuelve al historial entera, como turno assistant",
        en: "Every reply of the model goes back into the history whole, as an assistant turn",
      },
      points: 5,
      check: (work) => inEveryRun(work, [gaveBackWholeTurns, keptHistory], withTools),
    },
    {
      id: "results-find-their-call",
      title: {
        es: "Cada resultado responde a una llamada del turno anterior",
        en: "Every result answers a call of the turn before it",
      },
      points: 3,
      check: (work) => inEveryRun(work, [answeredEveryCall], withTools),
    },
    {
      id: "reaches-the-end",
      title: { es: "Llega a la respuesta final y la devuelve", en: "Reaches the final answer and returns it" },
      points: 4,
      check: (work) => inEveryRun(work, [askedUntilDone, handsBackTheEnd], withTools),
    },
  ],
  hints: [
    {
      es: "Lee el error 400: dice que un tool_result no encuentra su tool_use. ¿Dónde tendría que estar ese tool_use?",
      en: "Read the 400: it says that a tool_result does not find its tool_use. Where would that tool_use have to be?",
    },
    {
      es: "`textOf(response)` tira todo lo que no es texto. Mira qué se guarda en el turno assistant y compáralo con lo que trae response.content.",
      en: "`textOf(response)` throws away all that is not text. Look at what is kept in the assistant turn and compare it with what response.content holds.",
    },
    {
      es: 'El turno se guarda tal como llegó: messages.push({ role: "assistant", content: response.content });',
      en: 'The turn is kept as it came: messages.push({ role: "assistant", content: response.content });',
    },
  ],
});
