import { defineExercise } from "#spec";
import {
  answeredEveryCall,
  answeredRight,
  answerTo,
  askedUntilDone,
  callsIn,
  handsBackTheEnd,
  inEveryRun,
  keptHistory,
  type Run,
  ranEveryCall,
  refusedWithoutRunning,
  repliesOf,
  toldOfRefusal,
  toolCallsOf,
  toolResultsOf,
  withRefusals,
} from "./checks/checks.ts";

export default defineExercise({
  id: "2.6",
  title: { es: "Una petición, no un comprobante", en: "A request, not a receipt" },
  kind: "build",
  teaches: [
    "unapproved-call-run",
    "allowed-call-refused",
    "dropped-tool-result",
    "stopped-early",
    "empty-error-result",
  ],
  scenarios: [
    "migration-inside-the-window",
    "migration-outside-the-window",
    "migration-refused-beside-another-call",
    "migration-asks-again-inside",
  ],
  quiz: {
    program: "request-not-receipt.ts",
    family: (conversation) => [migrationsAsked(COUNTS[(conversation - 1) % COUNTS.length]!)],
    questions: [
      {
        kind: "options",
        key: "arrived",
        ask: {
          es: "Acaba de llegar la respuesta con su tool_use. ¿Qué ha pasado hasta ahora?",
          en: "The reply with its tool_use has just arrived. What has happened so far?",
        },
        idea: {
          es: "Qué es un bloque tool_use: quién lo escribió, qué prueba y qué falta todavía.",
          en: "What a tool_use block is: who wrote it, what it proves, and what is still missing.",
        },
        options: [
          {
            id: "already-run",
            text: {
              es: "La migración ya se ejecutó; el bloque tool_use es su comprobante.",
              en: "The migration has been run already; the tool_use block is its receipt.",
            },
            holds: ([run]) => toolCallsOf(run!).length > 0,
          },
          {
            id: "only-asked",
            text: {
              es: "El modelo escribió qué herramienta quiere y con qué datos.",
              en: "The model has written which tool it wants, and with which input.",
            },
            holds: ([run]) => askedIn(run).length > 0,
          },
          {
            id: "result-inside",
            text: {
              es: "El resultado de la herramienta viene dentro de la misma respuesta.",
              en: "The tool's result comes inside the same reply.",
            },
            holds: ([run]) =>
              toolResultsOf(run!).length > 0 || repliesOf(run!).some(({ message }) => holdsResult(message)),
          },
          {
            id: "waits-for-an-answer",
            text: {
              es: "Hay un `id` al que todavía no responde ningún tool_result.",
              en: "There is an `id` that no tool_result has answered yet.",
            },
            holds: ([run]) =>
              repliesOf(run!).some((reply) => callsIn(reply).length > 0 && answerTo(run!, reply) === null),
          },
          {
            id: "several-asked",
            text: {
              es: "El modelo pidió más de una llamada en esa misma respuesta.",
              en: "The model asked for more than one call in that same reply.",
            },
            holds: ([run]) => askedIn(run).length > 1,
          },
          {
            id: "nothing-run",
            text: {
              es: "No se ejecutó nada: si se ejecuta o no, lo decide tu programa.",
              en: "Nothing has been run: whether it is run or not is up to your program.",
            },
            holds: ([run]) => askedIn(run).length > 0 && toolCallsOf(run!).length === 0,
          },
        ],
      },
    ],
  },
  demands: ["whole-history"],
  criteria: [
    {
      id: "refused-never-run",
      title: {
        es: "Una migración fuera de la ventana no se ejecuta jamás",
        en: "A migration outside the window is never run",
      },
      points: 5,
      check: (work) => inEveryRun(work, [refusedWithoutRunning], withRefusals),
    },
    {
      id: "model-is-told",
      title: {
        es: "El modelo recibe lo denegado con is_error y el motivo, y lo que salió bien sin is_error",
        en: "The model gets what was refused with is_error and the reason, and what went well without is_error",
      },
      points: 4,
      check: (work) => inEveryRun(work, [toldOfRefusal], withRefusals),
    },
    {
      id: "the-rest-goes-on",
      title: {
        es: "Lo permitido se ejecuta y el bucle sigue hasta la respuesta final",
        en: "What is allowed is run, and the loop goes on to the final answer",
      },
      points: 4,
      check: (work) =>
        inEveryRun(work, [ranEveryCall, answeredEveryCall, keptHistory, askedUntilDone, handsBackTheEnd]),
    },
    {
      id: "not-a-receipt",
      title: {
        es: "Sabes qué ha pasado cuando llega un tool_use",
        en: "You know what has happened when a tool_use arrives",
      },
      points: 3,
      on: "quiz",
      check: (work) => answeredRight(work, ["arrived"]),
    },
  ],
  hints: [
    {
      es: "Entre leer el bloque tool_use y llamar a executeTool hay un momento en el que tu programa puede decir que no. ¿Qué necesita saber para decidirlo?",
      en: "Between reading the tool_use block and calling executeTool there is a moment at which your program can say no. What does it have to know to decide?",
    },
    {
      es: "Decir que no también es responder: la llamada denegada lleva su tool_result, con is_error y un motivo que el modelo pueda leer, en el mismo mensaje que los demás resultados. Y el bucle sigue.",
      en: "Saying no is an answer too: the refused call gets its tool_result, with is_error and a reason the model can read, in the same message as the other results. And the loop goes on.",
    },
    {
      es: 'Antes de executeTool, con una función isInsideWindow que escribes tú: if (call.name === "run_migration" && !isInsideWindow(call.input)) { results.push({ type: "tool_result", tool_use_id: call.id, is_error: true, content: "run_migration solo se permite de 02:00 a 04:59" }); continue; }',
      en: 'Before executeTool, with a function isInsideWindow of your own: if (call.name === "run_migration" && !isInsideWindow(call.input)) { results.push({ type: "tool_result", tool_use_id: call.id, is_error: true, content: "run_migration is only allowed from 02:00 to 04:59" }); continue; }',
    },
  ],
});

/** How many migrations the reply asks for. Neighbours differ; the list goes round. */
const COUNTS = [1, 2, 1, 3];

const HOURS = ["02:10", "03:10", "04:10"];

function migrationsAsked(count: number) {
  return {
    title: { es: "Una migración en producción", en: "A production migration" },
    userInput: { es: "Aplica las migraciones pendientes.", en: "Apply the pending migrations." },
    tools: [
      {
        name: "run_migration",
        description: { es: "Ejecuta una migración en producción.", en: "Runs a migration in production." },
        input_schema: {
          type: "object",
          properties: { migration: { type: "string" }, start: { type: "string" } },
          required: ["migration", "start"],
        },
      },
    ],
    replies: [
      {
        text: { es: "Aplico lo pendiente. {{nonce}}", en: "I will apply what is pending. {{nonce}}" },
        calls: HOURS.slice(0, count).map((start, index) => ({
          tool: "run_migration",
          input: { migration: `004${index + 2}`, start },
          does: { returns: { es: "aplicada ({{nonce}})", en: "applied ({{nonce}})" } },
        })),
      },
      { text: { es: "Todo aplicado. {{nonce}}", en: "All applied. {{nonce}}" } },
    ],
  };
}

const askedIn = (run: Run | undefined) => (run === undefined ? [] : repliesOf(run).flatMap(callsIn));

const holdsResult = (message: { content: readonly { type: string }[] }) =>
  message.content.some(({ type }) => type === "tool_result");
