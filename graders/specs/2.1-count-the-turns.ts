import { defineExercise } from "#spec";
import {
  answeredRequestsOf,
  answeredRight,
  callsIn,
  field,
  type Run,
  repliesOf,
  requestsOf,
  toolCallsOf,
  toolResultsOf,
} from "./checks/checks.ts";

export default defineExercise({
  id: "2.1",
  title: { es: "Cuenta los turnos", en: "Count the turns" },
  kind: "predict",
  teaches: [],
  quiz: {
    program: "count-the-turns.ts",
    family: (conversation) => [calendarConversation(callsPerTurn(conversation))],
    questions: [
      {
        kind: "number",
        key: "callModel",
        ask: { es: "¿Cuántas veces se llama a callModel?", en: "How many times is callModel called?" },
        idea: {
          es: "Desde qué líneas se le pregunta al modelo, y cuántas veces se pasa por cada una.",
          en: "Which lines ask the model, and how often each of them is gone through.",
        },
        answer: ([run]) => repliesOf(run!).length,
      },
      {
        kind: "number",
        key: "executeTool",
        ask: { es: "¿Cuántas veces se llama a executeTool?", en: "How many times is executeTool called?" },
        idea: {
          es: "Qué se ejecuta en una vuelta cuando una respuesta pide una llamada, varias o ninguna.",
          en: "What is run in one lap when a reply asks for one call, for several, or for none.",
        },
        answer: ([run]) => toolCallsOf(run!).length,
      },
      {
        kind: "number",
        key: "passes",
        ask: { es: "¿Cuánto vale `passes` al terminar?", en: "What is `passes` at the end?" },
        idea: {
          es: "Qué respuestas hacen entrar en el cuerpo del while y cuáles no.",
          en: "Which replies lead into the body of the while, and which do not.",
        },
        answer: ([run]) => Number(field(run, "passes")),
      },
      {
        kind: "options",
        key: "ending",
        ask: {
          es: "¿Cómo termina el bucle?",
          en: "How does the loop end?",
        },
        idea: {
          es: "Quién lee stop_reason, cuándo lo lee y qué valor encuentra al final.",
          en: "Who reads stop_reason, when, and which value is there at the end.",
        },
        options: [
          {
            id: "last-says-end-turn",
            text: {
              es: 'La última respuesta del modelo trae stop_reason "end_turn".',
              en: 'The model\'s last reply has stop_reason "end_turn".',
            },
            holds: ([run]) => repliesOf(run!).at(-1)?.message.stop_reason === "end_turn",
          },
          {
            id: "tool-result-ends-it",
            text: {
              es: "El bucle termina en cuanto la última herramienta devuelve su resultado, sin otra respuesta del modelo.",
              en: "The loop ends as soon as the last tool gives back its result, with no further reply from the model.",
            },
            holds: ([run]) => (toolResultsOf(run!).at(-1)?.seq ?? -1) > (repliesOf(run!).at(-1)?.seq ?? -1),
          },
          {
            id: "condition-reads-it",
            text: {
              es: "Es la condición del while, en tu programa, la que lee ese stop_reason y no deja entrar otra vez.",
              en: "It is the condition of the while, in your program, that reads that stop_reason and lets no further lap in.",
            },
            holds: ([run]) => run!.outcome === "returned" && field(run, "passes") === askingReplies(run!).length,
          },
          {
            id: "api-cuts-it",
            text: {
              es: "Es la API la que corta: runAgent queda interrumpido y no llega a su return.",
              en: "It is the API that cuts it off: runAgent is interrupted and does not reach its return.",
            },
            holds: ([run]) => run!.outcome !== "returned",
          },
          {
            id: "several-tool-use",
            text: {
              es: 'Antes de la última hubo dos o más respuestas con stop_reason "tool_use".',
              en: 'Before the last reply there were two or more with stop_reason "tool_use".',
            },
            holds: ([run]) => askingReplies(run!).length >= 2,
          },
          {
            id: "model-still-asking",
            text: {
              es: "El bucle termina aunque la última respuesta todavía pide una herramienta.",
              en: "The loop ends although the last reply still asks for a tool.",
            },
            holds: ([run]) => callsInLast(run!) > 0,
          },
        ],
      },
      {
        kind: "options",
        key: "lastCall",
        ask: {
          es: "¿Qué es cierto de la última llamada a callModel?",
          en: "What is true of the last call of callModel?",
        },
        idea: {
          es: "Desde dónde se hace la última pregunta al modelo y qué ocurre después de su respuesta.",
          en: "Where the model is asked for the last time, and what happens after its reply.",
        },
        options: [
          {
            id: "before-the-while",
            text: {
              es: "Sale de la línea que está antes del while.",
              en: "It is made from the line before the while.",
            },
            holds: ([run]) => !lastRequestIsInside(run!),
          },
          {
            id: "inside-the-body",
            text: {
              es: "Sale de la última línea del cuerpo del while.",
              en: "It is made from the last line of the body of the while.",
            },
            holds: ([run]) => lastRequestIsInside(run!),
          },
          {
            id: "one-more-lap",
            text: {
              es: "Después de ella hay una vuelta más, la que recoge el texto final.",
              en: "After it there is one more lap, the one that picks up the final text.",
            },
            holds: ([run]) => Number(field(run, "passes")) >= answeredRequestsOf(run!).length,
          },
          {
            id: "condition-fails-next",
            text: {
              es: "Lo siguiente que se evalúa es la condición del while, y ya no se cumple.",
              en: "The next thing evaluated is the condition of the while, and it no longer holds.",
            },
            holds: ([run]) => run!.outcome === "returned" && callsInLast(run!) === 0,
          },
          {
            id: "nothing-run-after",
            text: {
              es: "Después de su respuesta no se ejecuta ninguna herramienta más.",
              en: "After its reply no further tool is run.",
            },
            holds: ([run]) => (toolCallsOf(run!).at(-1)?.seq ?? -1) < (repliesOf(run!).at(-1)?.seq ?? -1),
          },
          {
            id: "several-tools-in-its-lap",
            text: {
              es: "En su misma vuelta se ejecutaron dos o más herramientas.",
              en: "Two or more tools were run in the same lap as it.",
            },
            holds: ([run]) =>
              toolCallsOf(run!).filter(({ turn }) => turn === requestsOf(run!).at(-1)?.turn).length >= 2,
          },
        ],
      },
    ],
  },
  criteria: [
    {
      id: "counts",
      title: { es: "Predices cuántas veces ocurre cada cosa", en: "You predict how often each thing happens" },
      points: 6,
      on: "quiz",
      check: (work) => answeredRight(work, ["callModel", "executeTool", "passes"]),
    },
    {
      id: "ending",
      title: { es: "Explicas cómo y dónde termina", en: "You explain how and where it ends" },
      points: 4,
      on: "quiz",
      check: (work) => answeredRight(work, ["ending", "lastCall"]),
    },
  ],
  hints: [
    {
      es: "Recorre el programa con el dedo, respuesta a respuesta. Antes de cada vuelta, di en voz alta qué stop_reason tiene `response` en ese momento.",
      en: "Walk through the program with a finger, reply by reply. Before each lap, say aloud which stop_reason `response` has at that moment.",
    },
    {
      es: "Hay dos líneas con callModel: una se ejecuta una sola vez; la otra, una vez por vuelta. La línea de executeTool está dentro de un for: depende de cuántos bloques tool_use traiga la respuesta.",
      en: "There are two lines with callModel: one is executed just once, the other once a lap. The line with executeTool is inside a for: it depends on how many tool_use blocks the reply has.",
    },
    {
      es: 'callModel = 1 + vueltas. executeTool = bloques tool_use de todas las respuestas. Vueltas (`passes`) = respuestas cuyo stop_reason es "tool_use". Al salir, la última llamada fue la de la última línea del cuerpo, salvo que nunca se haya entrado.',
      en: 'callModel = 1 + laps. executeTool = tool_use blocks over all replies. Laps (`passes`) = replies whose stop_reason is "tool_use". On leaving, the last call was the one on the last line of the body, unless the body was never entered.',
    },
  ],
});

/** How many tools each reply asks for, in order. Neighbours differ; the list goes round. */
const SHAPES = [[1, 1], [2, 1, 1], [1, 3], [], [1, 1, 2, 1], [3], [1, 2, 2]] as const;

function callsPerTurn(conversation: number): readonly number[] {
  return SHAPES[(conversation - 1) % SHAPES.length]!;
}

/** First search, then create: `calls[i]` tools in the i-th reply, and a final answer. */
function calendarConversation(calls: readonly number[]) {
  return {
    title: { es: "El asistente de calendario", en: "The calendar assistant" },
    userInput: calls.length > 0 ? BOOK : ASK,
    tools: [
      {
        name: "search_calendar",
        description: { es: "Los huecos libres de un día.", en: "The free slots of a day." },
        input_schema: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
      },
      {
        name: "create_event",
        description: { es: "Crea un evento.", en: "Creates an event." },
        input_schema: {
          type: "object",
          properties: { title: { type: "string" }, start: { type: "string" } },
          required: ["title", "start"],
        },
      },
    ],
    replies: [
      ...calls.map((count, turn) => ({
        calls: Array.from({ length: count }, (_, index) => (turn === 0 ? search(index) : create(turn, index))),
      })),
      { text: calls.length > 0 ? DONE : FOR },
    ],
  };
}

const BOOK = {
  es: "Busca un hueco esta semana y agenda la revisión.",
  en: "Find a slot this week and book the review.",
};
const ASK = { es: "¿Para qué sirves?", en: "What are you for?" };
const DONE = { es: "Listo: la revisión está agendada. {{nonce}}", en: "Done: the review is booked. {{nonce}}" };
const FOR = { es: "Busco huecos y creo eventos. {{nonce}}", en: "I find slots and create events. {{nonce}}" };

const search = (index: number) => ({
  tool: "search_calendar",
  input: { day: `2027-03-0${index + 2}` },
  does: { returns: { es: "libre a las 10:00 ({{nonce}})", en: "free at 10:00 ({{nonce}})" } },
});

const create = (turn: number, index: number) => ({
  tool: "create_event",
  input: { title: `review ${turn}`, start: `1${index}:00` },
  does: { returns: { es: "evento creado ({{nonce}})", en: "event created ({{nonce}})" } },
});

const askingReplies = (run: Run) => repliesOf(run).filter(({ message }) => message.stop_reason === "tool_use");

function callsInLast(run: Run): number {
  const last = repliesOf(run).at(-1);
  return last === undefined ? 0 : callsIn(last).length;
}

/** By the line that made it; the first request is the one before the while. */
function lastRequestIsInside(run: Run): boolean {
  const requests = requestsOf(run);
  const [first, last] = [requests[0], requests.at(-1)];
  return first?.at && last?.at ? first.at.line !== last.at.line : (last?.turn ?? 0) > 0;
}
