import { defineExercise } from "#spec";
import {
  answeredRequestsOf,
  answeredRight,
  holds,
  type Run,
  repliesOf,
  resultsIn,
  sentMessages,
  turnsOf,
} from "./checks/checks.ts";

export default defineExercise({
  id: "2.7",
  title: { es: "El historial crece", en: "The history grows" },
  kind: "predict",
  teaches: [],
  quiz: {
    program: "the-history-grows.ts",
    family: (conversation) => [onCallConversation(SHAPES[(conversation - 1) % SHAPES.length]!)],
    questions: [
      {
        kind: "number",
        key: "first",
        ask: {
          es: "¿Cuántos mensajes lleva la primera llamada al modelo?",
          en: "How many messages does the first request carry?",
        },
        idea: { es: "Con qué empieza el historial.", en: "What the history starts with." },
        answer: ([run]) => sizes(run!)[0] ?? 0,
      },
      {
        kind: "number",
        key: "second",
        ask: { es: "¿Cuántos lleva la segunda?", en: "How many does the second one carry?" },
        idea: {
          es: "Qué se añade al historial entre una llamada y la siguiente.",
          en: "What is added to the history between one request and the next.",
        },
        answer: ([run]) => sizes(run!)[1] ?? 0,
      },
      {
        kind: "number",
        key: "last",
        ask: { es: "¿Cuántos lleva la última?", en: "How many does the last one carry?" },
        idea: {
          es: "Cómo depende lo que lleva una llamada de los turnos que hubo antes, y de nada más.",
          en: "How the size of a request depends on the turns before it, and on nothing else.",
        },
        answer: ([run]) => sizes(run!).at(-1) ?? 0,
      },
      {
        kind: "number",
        key: "total",
        ask: {
          es: "Sumando todas las llamadas al modelo, ¿cuántos mensajes se envían en total?",
          en: "Over all the requests, how many messages are sent in total?",
        },
        idea: {
          es: "Que un mismo mensaje se envía tantas veces como llamadas al modelo se hacen después de guardarlo.",
          en: "That one and the same message is sent as many times as requests are made after it was kept.",
        },
        answer: ([run]) => sum(sizes(run!)),
      },
      {
        kind: "options",
        key: "why",
        ask: {
          es: "¿Por qué crece así?",
          en: "Why does it grow like that?",
        },
        idea: {
          es: "Por qué crece lo que viaja en cada llamada: todas las razones, y solo las que lo son.",
          en: "Why what travels in each request grows: all of the reasons, and only those that are.",
        },
        options: [
          {
            id: "only-the-news",
            text: {
              es: "Desde la segunda, cada llamada lleva solo lo nuevo; lo anterior ya lo tiene la API.",
              en: "From the second one on, a request carries only what is new; the API already has the rest.",
            },
            holds: ([run]) =>
              answeredRequestsOf(run!)
                .slice(1)
                .some((request) => !carriesPrompt(run!, request)),
          },
          {
            id: "whole-every-time",
            text: {
              es: "La API no recuerda nada entre llamadas: cada una lleva la conversación entera.",
              en: "The API remembers nothing between requests: each one carries the whole conversation.",
            },
            holds: ([run]) => answeredRequestsOf(run!).every((request) => carriesPrompt(run!, request)) && grows(run!),
          },
          {
            id: "one-message-per-result",
            text: {
              es: "Cada resultado es un mensaje aparte: tres llamadas en una respuesta suman tres mensajes user.",
              en: "Each result is a message of its own: three calls in one reply add three user messages.",
            },
            holds: ([run]) => resultMessagesInLast(run!) > turnsOf(run!).length,
          },
          {
            id: "two-per-turn",
            text: {
              es: "Cada turno suma dos mensajes: la respuesta del modelo y el mensaje con sus resultados.",
              en: "Each turn adds two messages: the model's reply and the message with its results.",
            },
            holds: ([run]) => sizes(run!).every((size, index, all) => index === 0 || size - all[index - 1]! === 2),
          },
          {
            id: "final-reply-sent-too",
            text: {
              es: "La respuesta final del modelo también viaja en alguna llamada.",
              en: "The model's final reply travels in some request too.",
            },
            holds: ([run]) => finalReplySent(run!),
          },
          {
            id: "last-outweighs-the-rest",
            text: {
              es: "La última llamada lleva más mensajes que todas las anteriores juntas.",
              en: "The last request carries more messages than all the earlier ones together.",
            },
            holds: ([run]) => (sizes(run!).at(-1) ?? 0) > sum(sizes(run!).slice(0, -1)),
          },
        ],
      },
    ],
  },
  criteria: [
    {
      id: "sizes",
      title: {
        es: "Predices cuántos mensajes lleva cada llamada",
        en: "You predict how many messages each request carries",
      },
      points: 4,
      on: "quiz",
      check: (work) => answeredRight(work, ["first", "second", "last"]),
    },
    {
      id: "total",
      title: { es: "Predices cuántos se envían en total", en: "You predict how many are sent in total" },
      points: 3,
      on: "quiz",
      check: (work) => answeredRight(work, ["total"]),
    },
    {
      id: "why",
      title: { es: "Explicas por qué crece", en: "You explain why it grows" },
      points: 3,
      on: "quiz",
      check: (work) => answeredRight(work, ["why"]),
    },
  ],
  hints: [
    {
      es: "Escribe la lista `messages` en un papel y ve añadiendo lo que añade cada turno. Marca el momento de cada llamada al modelo.",
      en: "Write the list `messages` on paper and add what each turn adds. Mark the moment of each request.",
    },
    {
      es: "Hay dos push por turno, pida el modelo las llamadas que pida: todos los resultados van en un mismo mensaje. Y cada llamada envía la lista entera, no solo lo último.",
      en: "There are two pushes a turn, however many calls the model asks for: all the results go in one message. And each request sends the whole list, not just the end of it.",
    },
    {
      es: "Después de n turnos con herramientas, una llamada lleva 1 + 2n mensajes. El total es la suma de todas: 1 + 3 + 5 + … hasta la última.",
      en: "After n turns with tools, a request carries 1 + 2n messages. The total is the sum of them all: 1 + 3 + 5 + … up to the last one.",
    },
  ],
});

/** How many tools each reply asks for, in order. Neighbours have unlike lengths; the list goes round. */
const SHAPES = [
  [1, 1, 1],
  [3, 1],
  [1, 2, 1, 1],
  [2, 2, 1],
  [1, 3],
  [1, 1, 2, 1, 1],
];

function onCallConversation(calls: readonly number[]) {
  return {
    title: { es: "El bot de guardia", en: "The on-call bot" },
    userInput: {
      es: "`payments` falla a ratos. ¿Qué le pasa?",
      en: "`payments` fails now and then. What is wrong with it?",
    },
    tools: [
      {
        name: "read_logs",
        description: {
          es: "Las últimas líneas del registro de un servicio.",
          en: "The last lines of a service's log.",
        },
        input_schema: {
          type: "object",
          properties: { service: { type: "string" }, lines: { type: "integer" } },
          required: ["service", "lines"],
        },
      },
    ],
    replies: [
      ...calls.map((count, turn) => ({
        calls: Array.from({ length: count }, (_, index) => ({
          tool: "read_logs",
          input: { service: ["payments", "search", "mailer"][index], lines: 10 * (turn + 1) },
          does: { returns: { es: "sin errores ({{nonce}})", en: "no errors ({{nonce}})" } },
        })),
      })),
      { text: { es: "Ahora mismo no falla nada. {{nonce}}", en: "Nothing is failing right now. {{nonce}}" } },
    ],
  };
}

const sizes = (run: Run) => answeredRequestsOf(run).map((request) => sentMessages(request).length);

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const grows = (run: Run) => sizes(run).every((size, index, all) => index === 0 || size > all[index - 1]!);

const carriesPrompt = (run: Run, request: { body: unknown }) =>
  holds(request.body, JSON.stringify(run.scenario.userInput));

const resultMessagesInLast = (run: Run) => {
  const last = answeredRequestsOf(run).at(-1);
  return last === undefined ? 0 : sentMessages(last).filter((message) => resultsIn(message).length > 0).length;
};

const finalReplySent = (run: Run) => {
  const final = repliesOf(run)
    .at(-1)
    ?.message.content.find(({ type }) => type === "text");
  return final?.type === "text" && answeredRequestsOf(run).some(({ body }) => holds(body, JSON.stringify(final.text)));
};
