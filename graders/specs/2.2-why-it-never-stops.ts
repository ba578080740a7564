import { defineExercise } from "#spec";
import {
  answeredEveryCall,
  answeredRight,
  askedUntilDone,
  field,
  handsBackTheEnd,
  inEveryRun,
  keptHistory,
  type Run,
  repliesOf,
  requestsOf,
  toolCallsOf,
  toolResultsOf,
  withTools,
} from "./checks/checks.ts";

export default defineExercise({
  id: "2.2",
  title: { es: "Por qué no se detiene", en: "Why it never stops" },
  kind: "debug",
  teaches: ["missing-reassignment", "stopped-early"],
  scenarios: ["weather-no-call", "weather-one-call", "weather-one-call-per-turn"],
  quiz: {
    program: "why-it-never-stops.ts",
    family: (conversation) => {
      const passes = passesOf(conversation);
      return [conversationOf(0, passes), conversationOf(1, passes), conversationOf(2, passes)];
    },
    questions: [
      {
        kind: "options",
        key: "ends",
        ask: {
          es: "Sin el tope de vueltas, ¿cuáles de las tres conversaciones terminan?",
          en: "Without the cap of laps, which of the three conversations end?",
        },
        idea: {
          es: "Con qué respuestas entra el programa en el bucle, y qué necesita para salir una vez dentro.",
          en: "Which replies lead the program into the loop, and what it needs to get out once it is in.",
        },
        options: [
          {
            id: "no-call-ends",
            text: { es: "Sin llamadas: termina.", en: "No call: it ends." },
            holds: ([none]) => field(none, "ended") === true,
          },
          {
            id: "no-call-never-ends",
            text: { es: "Sin llamadas: no termina nunca.", en: "No call: it never ends." },
            holds: ([none]) => field(none, "ended") === false,
          },
          {
            id: "one-call-ends",
            text: { es: "Una llamada: termina.", en: "One call: it ends." },
            holds: ([, one]) => field(one, "ended") === true,
          },
          {
            id: "one-call-never-ends",
            text: { es: "Una llamada: no termina nunca.", en: "One call: it never ends." },
            holds: ([, one]) => field(one, "ended") === false,
          },
          {
            id: "two-calls-end",
            text: { es: "Dos llamadas, una por turno: termina.", en: "Two calls, one per turn: it ends." },
            holds: ([, , two]) => field(two, "ended") === true,
          },
          {
            id: "two-calls-never-end",
            text: {
              es: "Dos llamadas, una por turno: no termina nunca.",
              en: "Two calls, one per turn: it never ends.",
            },
            holds: ([, , two]) => field(two, "ended") === false,
          },
        ],
      },
      {
        kind: "number",
        key: "callModel",
        ask: {
          es: "Conversación de una llamada, al llegar al tope de vueltas: ¿cuántas veces se llamó a callModel?",
          en: "Conversation with one call, at the cap of laps: how many times was callModel called?",
        },
        idea: {
          es: "Qué líneas le preguntan al modelo y si alguna de ellas está dentro del bucle.",
          en: "Which lines ask the model, and whether any of them is inside the loop.",
        },
        answer: ([, one]) => repliesOf(one!).length,
      },
      {
        kind: "number",
        key: "executeTool",
        ask: {
          es: "En ese mismo momento: ¿cuántas veces se llamó a executeTool?",
          en: "At that same moment: how many times was executeTool called?",
        },
        idea: {
          es: "Qué vuelve a hacer cada vuelta cuando la respuesta guardada es siempre la misma.",
          en: "What each lap does over again when the reply it holds is always the same one.",
        },
        answer: ([, one]) => toolCallsOf(one!).length,
      },
      {
        kind: "number",
        key: "messages",
        ask: {
          es: "En ese mismo momento: ¿cuántos mensajes hay en `messages`?",
          en: "At that same moment: how many messages are there in `messages`?",
        },
        idea: {
          es: "Con cuántos mensajes empieza el historial y cuántos le suma cada vuelta.",
          en: "How many messages the history starts with, and how many each lap adds.",
        },
        answer: ([, one]) => Number(field(one, "messages")),
      },
      {
        kind: "options",
        key: "cause",
        ask: {
          es: "¿Por qué no termina?",
          en: "Why does it not end?",
        },
        idea: {
          es: "Qué cambia de una vuelta a la siguiente y qué se queda igual: el modelo, el historial, `response`.",
          en: "What changes from one lap to the next and what stays the same: the model, the history, `response`.",
        },
        options: [
          {
            id: "model-repeats-itself",
            text: {
              es: "En cada vuelta el modelo vuelve a pedir la misma herramienta.",
              en: "In every lap the model asks for the same tool again.",
            },
            holds: ([, one]) => repliesOf(one!).filter(({ message }) => message.stop_reason === "tool_use").length > 1,
          },
          {
            id: "same-reply",
            text: {
              es: "`response` sigue guardando la primera respuesta en todas las vueltas.",
              en: "`response` keeps holding the first reply in every lap.",
            },
            holds: ([, one]) => repliesOf(one!).length === 1 && Number(field(one, "passes")) > 1,
          },
          {
            id: "results-not-kept",
            text: {
              es: "Los resultados de la herramienta no se guardan en `messages`.",
              en: "The tool's results are not kept in `messages`.",
            },
            holds: ([, one]) => Number(field(one, "messages")) === 1,
          },
          {
            id: "results-not-sent",
            text: {
              es: "Los resultados se guardan en `messages`, pero el modelo no llega a recibirlos.",
              en: "The results are kept in `messages`, but the model never receives them.",
            },
            holds: ([, one]) => Number(field(one, "messages")) > 1 && !anyResultSent(one!),
          },
          {
            id: "tool-fails",
            text: {
              es: "La herramienta falla y el bucle la reintenta.",
              en: "The tool fails and the loop tries it again.",
            },
            holds: ([, one]) => toolResultsOf(one!).some(({ outcome }) => outcome.kind !== "value"),
          },
          {
            id: "stale-condition",
            text: {
              es: 'La condición del while lee siempre un stop_reason que ya era "tool_use" antes de entrar.',
              en: 'The condition of the while always reads a stop_reason that was already "tool_use" before the loop began.',
            },
            holds: ([, one]) =>
              field(one, "ended") === false &&
              repliesOf(one!).at(-1)?.message.stop_reason === "tool_use" &&
              repliesOf(one!).length === 1,
          },
        ],
      },
    ],
  },
  demands: ["whole-history"],
  criteria: [
    {
      id: "repaired",
      title: { es: "Las tres conversaciones terminan bien", en: "All three conversations end well" },
      points: 8,
      check: (work) =>
        inEveryRun(work, [askedUntilDone, answeredEveryCall, handsBackTheEnd]) ??
        inEveryRun(work, [keptHistory], withTools),
    },
    {
      id: "prediction",
      title: { es: "Predices qué hace el bucle roto", en: "You predict what the broken loop does" },
      points: 5,
      on: "quiz",
      check: (work) => answeredRight(work, ["ends", "callModel", "executeTool", "messages"]),
    },
    {
      id: "cause",
      title: { es: "Das con la causa", en: "You find the cause" },
      points: 3,
      on: "quiz",
      check: (work) => answeredRight(work, ["cause"]),
    },
  ],
  hints: [
    {
      es: "La condición del while lee `response`. Busca todas las líneas que le dan un valor a `response`.",
      en: "The condition of the while reads `response`. Look for every line that gives `response` a value.",
    },
    {
      es: "Después de guardar los resultados en `messages`, nadie se los envía al modelo. Falta algo al final del cuerpo del while, dentro de las llaves.",
      en: "Once the results are kept in `messages`, nobody sends them to the model. Something is missing at the end of the body of the while, inside the braces.",
    },
    {
      es: "La última línea del cuerpo es: response = await callModel({ messages, tools }); sin const ni let delante.",
      en: "The last line of the body is: response = await callModel({ messages, tools }); with no const or let before it.",
    },
  ],
});

/** After how many laps the program is stopped. Neighbours differ; the list goes round. */
const PASSES = [100, 40, 75, 12, 150, 60, 30];

function passesOf(conversation: number): number {
  return PASSES[(conversation - 1) % PASSES.length]!;
}

const CITIES = ["Lima", "Montevideo"];

/** The weather desk asks for `calls` readings, one per turn; the prompt names the limit of laps. */
function conversationOf(calls: number, passes: number) {
  return {
    title: [
      { es: "Sin llamadas", en: "No call" },
      { es: "Una llamada", en: "One call" },
      { es: "Dos llamadas, una por turno", en: "Two calls, one per turn" },
    ][calls],
    userInput: {
      es: `${QUESTIONS[calls]!.es} (tope: ${passes} vueltas)`,
      en: `${QUESTIONS[calls]!.en} (cap: ${passes} laps)`,
    },
    tools: [
      {
        name: "get_weather",
        description: { es: "El tiempo que hace ahora en una ciudad.", en: "The weather in a city right now." },
        input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    ],
    replies: [
      ...CITIES.slice(0, calls).map((city) => ({
        calls: [
          {
            tool: "get_weather",
            input: { city },
            does: { returns: { es: "21 °C, sol ({{nonce}})", en: "21 °C, sunny ({{nonce}})" } },
          },
        ],
      })),
      { text: ANSWERS[calls]! },
    ],
  };
}

const QUESTIONS = [
  { es: "¿Qué sabes hacer?", en: "What can you do?" },
  { es: "¿Qué tiempo hace en Lima?", en: "What is the weather like in Lima?" },
  { es: "¿Hace el mismo tiempo en Lima y en Montevideo?", en: "Is the weather the same in Lima and in Montevideo?" },
];

const ANSWERS = [
  { es: "Te digo el tiempo de cualquier ciudad. {{nonce}}", en: "I can tell you the weather in any city. {{nonce}}" },
  { es: "En Lima hace sol, con 21 °C. {{nonce}}", en: "It is sunny in Lima, 21 °C. {{nonce}}" },
  { es: "Sí: sol y 21 °C en las dos. {{nonce}}", en: "Yes: sunny and 21 °C in both. {{nonce}}" },
];

const anyResultSent = (run: Run) =>
  requestsOf(run).some(({ history }) =>
    history.some(({ content }) => content.some(({ type }) => type === "tool_result")),
  );
