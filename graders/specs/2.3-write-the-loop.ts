import { defineExercise } from "#spec";
import {
  answeredEveryCall,
  askedUntilDone,
  handsBackTheText,
  inEveryRun,
  keptHistory,
  ranEveryCall,
  withTools,
} from "./checks/checks.ts";

export default defineExercise({
  id: "2.3",
  title: { es: "Escribe el bucle", en: "Write the loop" },
  kind: "build",
  teaches: [
    "missing-reassignment",
    "model-never-asked",
    "stopped-early",
    "preamble-as-answer",
    "answer-not-returned",
    "unawaited-tool",
    "unawaited-model",
    "unserialized-tool-result",
    "restarted-conversation",
    "prompt-not-sent",
    "history-cut-short",
    "tools-not-resent",
    "kept-going-after-end",
    "whole-response-pushed",
    "tool-run-twice",
    "wrong-tool-input",
    "never-settles",
    "busy-loop",
  ],
  scenarios: [
    "on-call-restart-and-verify",
    "on-call-just-a-question",
    "on-call-two-logs-in-one-turn",
    "on-call-long-night",
  ],
  demands: ["whole-history", "text-alone"],
  criteria: [
    {
      id: "asks-until-done",
      title: {
        es: "Pregunta al modelo hasta que deja de pedir herramientas, y ni una vez más",
        en: "Asks the model until it stops asking for tools, and not once more",
      },
      points: 6,
      check: (work) => inEveryRun(work, [askedUntilDone]),
    },
    {
      id: "answers-every-call",
      title: {
        es: "Ejecuta cada tool_use y devuelve todos los resultados en un solo mensaje",
        en: "Runs every tool_use and gives back all the results in one message",
      },
      points: 5,
      check: (work) => inEveryRun(work, [ranEveryCall, answeredEveryCall], withTools),
    },
    {
      id: "keeps-the-history",
      title: {
        es: "Cada llamada al modelo lleva la conversación entera",
        en: "Every request carries the whole conversation",
      },
      points: 5,
      check: (work) => inEveryRun(work, [keptHistory], withTools),
    },
    {
      id: "returns-the-text",
      title: { es: "Devuelve el texto final, sin el razonamiento", en: "Returns the final text, without the thinking" },
      points: 4,
      check: (work) => inEveryRun(work, [askedUntilDone, handsBackTheText]),
    },
  ],
  hints: [
    {
      es: "Di en voz alta las cuatro cosas que se repiten: leer qué pidió el modelo, ejecutarlo, guardar lo que dijo y lo que salió, volver a preguntar. ¿Cuál de ellas decide si hay otra vuelta?",
      en: "Say aloud the four things that repeat: read what the model asked for, run it, keep what it said and what came out, ask again. Which of them decides whether there is another turn?",
    },
    {
      es: "Antes del while: el historial y la primera pregunta. Dentro: recorrer response.content, un tool_result por cada tool_use con su id, dos push y la nueva pregunta. Después: el texto no siempre es el primer bloque de content; busca los de tipo text.",
      en: "Before the while: the history and the first question. Inside: go through response.content, one tool_result per tool_use with its id, two pushes and the new question. After it: the text is not always the first block of content; look for the ones of type text.",
    },
    {
      es: 'El cuerpo termina con: messages.push({ role: "assistant", content: response.content }); messages.push({ role: "user", content: results }); response = await callModel({ messages, tools }); y la función, con: return response.content.filter((block) => block.type === "text").map((block) => block.text).join("\\n");',
      en: 'The body ends with: messages.push({ role: "assistant", content: response.content }); messages.push({ role: "user", content: results }); response = await callModel({ messages, tools }); and the function with: return response.content.filter((block) => block.type === "text").map((block) => block.text).join("\\n");',
    },
  ],
});
