import { isText, isToolResult } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { stringsIn } from "./find/answer.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { fixedQuestion } from "./point/messages.ts";
import { cut, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "prompt-not-sent",
  rank: 205,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    // A program that was started by hand asks what it likes.
    const found = run.demands?.includes("whole-history") ? withoutPrompt(run) : null;
    if (found === null) return null;
    const { request } = found;
    return {
      turn: request.turn,
      at: fixedQuestion(run.source) ?? request.at,
      headline: {
        es: "Lo que pidió el usuario no llegó al modelo",
        en: "What the user asked for never reached the model",
      },
      detail: text([
        {
          es: `El usuario dijo «${cut(run.scenario.userInput, 60)}». `,
          en: `The user said "${cut(run.scenario.userInput, 60)}". `,
        },
        whatWasSent(request),
        {
          es: "El modelo solo sabe lo que dice la petición: contesta a lo que le enviaste.",
          en: "The model knows only what the request says: it answers what you sent it.",
        },
      ]),
      next: {
        es: "Imprime `messages[0]` antes de la primera llamada al modelo y compáralo con lo que recibió tu función.",
        en: "Print `messages[0]` before the first call of the model and compare it with what your function was given.",
      },
    };
  },
};

/** The first request that the model answered, in a run none of whose requests says what the user did. */
function withoutPrompt({ scenario, beside, trace }: Run): Exchange | null {
  const all = exchanges(trace);
  // The words of another conversation are another mistake.
  const prompts = [scenario, ...beside].map(({ userInput }) => userInput);
  if (all.some(({ request }) => prompts.some((prompt) => says(request, prompt)))) return null;
  return all.find(({ reply }) => reply?.kind === "message") ?? null;
}

/** Share of a prompt's words by which it is known again: a loop may cut it, tidy it up, or put it in words of its own. */
const SHARE = 0.5;

/**
 * Whether a request says what a prompt says, wherever in it and in whatever case. What the model and its tools said is no
 * evidence: it is about the same things.
 */
function says({ body, history }: RequestEvent, prompt: string): boolean {
  const words = wordsOf(prompt);
  const own = history.filter(({ role }) => role === "user").flatMap(({ content }) => content);
  const system = isRecord(body) ? body.system : null;
  const said = new Set(stringsIn([system, own.filter((block) => !isToolResult(block))]).flatMap(wordsOf));
  return words.filter((word) => said.has(word)).length >= words.length * SHARE;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What the first message says in the prompt's place. */
function whatWasSent({ history }: RequestEvent): Text {
  const said = history.flatMap(({ content }) => content.filter(isText)).find(({ text: words }) => words.trim() !== "");
  if (said === undefined) {
    return {
      es: "Ninguna de tus peticiones lo dice. ",
      en: "None of your requests says so. ",
    };
  }
  return {
    es: `La primera petición dice «${cut(said.text, 60)}», y lo que él pidió no está en ninguna. `,
    en: `The first request says "${cut(said.text, 60)}", and what they asked for is in none of them. `,
  };
}

export default diagnosis;
