import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Text } from "../trace/text.ts";
import { namesOf } from "./find/calls.ts";
import { type Misplaced, misplaced } from "./find/order.ts";
import { resultsBeforeTurn } from "./point/messages.ts";
import { apiSaid, code, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "turns-out-of-order",
  rank: 335,
  weight: "fault",
  exercise: "2.5",
  explains: [
    "text-only-history",
    "missing-assistant-turn",
    "orphaned-tool-result",
    "rewritten-history",
    "wrong-tool-use-id",
    "duplicate-tool-result",
    "dropped-tool-result",
    "text-before-tool-results",
    "split-tool-results",
    "empty-message-pushed",
    "rejected-request-retried",
    "stopped-early",
  ],
  detect(run) {
    const found = misplaced(run.trace);
    if (found === null) return null;
    return {
      turn: found.request.turn,
      at: (found.what === "early" ? resultsBeforeTurn(run.source) : null) ?? found.request.at,
      headline: HEADLINES[found.what],
      detail: text([order(found), apiSaid(found.reply)]),
      next: {
        es: "Imprime el rol de cada mensaje justo antes de llamar al modelo: ¿qué líneas los meten ahí, y en qué orden corren?",
        en: "Print the role of each message just before you call the model: which lines put them there, and in which order do they run?",
      },
    };
  },
};

const HEADLINES: Readonly<Record<Misplaced["what"], Text>> = {
  prompt: {
    es: "La pregunta ya no es lo primero que el modelo lee en el historial",
    en: "The question is no longer the first thing the model reads in the history",
  },
  early: {
    es: "El resultado está antes del turno del modelo que lo pide",
    en: "The result stands before the model's turn that asks for it",
  },
  late: {
    es: "Entre el turno del modelo y su resultado hay otro mensaje",
    en: "Another message stands between the model's turn and its result",
  },
  "newest-first": {
    es: "Los turnos del historial no están en el orden en que ocurrieron",
    en: "The turns of the history are not in the order in which they happened",
  },
};

function order({ what, calls }: Misplaced): Text {
  const which = names(namesOf(calls));
  switch (what) {
    case "prompt":
      return {
        es: `En la petición, lo que se pidió o respondió después (${which.es}) está delante de la pregunta que abrió la conversación. El modelo lee de arriba abajo y toma ese orden por el orden en que pasó todo.`,
        en: `In the request, what was asked or answered later (${which.en}) stands before the question that opened the conversation. The model reads from top to bottom and takes that order for the order in which it all happened.`,
      };
    case "early":
      return {
        es: `La petición lleva las dos mitades, pero al revés: primero el \`tool_result\` de ${which.es} y después el turno de \`assistant\` que lo pide. El modelo lee de arriba abajo, y cuando llega al resultado nadie ha pedido nada.`,
        en: `The request holds both halves, but the wrong way round: first the \`tool_result\` of ${which.en}, and after it the \`assistant\` turn that asks for it. The model reads from top to bottom, and where the result stands nobody has asked for anything yet.`,
      };
    case "late":
      return {
        es: `La petición lleva el turno de \`assistant\` que pide ${which.es} y también su \`tool_result\`, pero no en el mensaje que sigue: hay otro en medio. El modelo esperaba el resultado justo después de pedirlo.`,
        en: `The request holds the \`assistant\` turn that asks for ${which.en} and its \`tool_result\` too, but not in the message that follows: there is another between them. The model was waiting for the result right after asking.`,
      };
    case "newest-first": {
      const [newer, older] = calls.map(({ name }) => code(name));
      return {
        es: `En la petición, el turno en que el modelo pidió ${newer} está antes que uno anterior, en el que pidió ${older}. El modelo lee de arriba abajo y toma ese orden por el orden en que pasó todo.`,
        en: `In the request, the turn in which the model asked for ${newer} stands before an earlier one, in which it asked for ${older}. The model reads from top to bottom and takes that order for the order in which it all happened.`,
      };
    }
  }
}

export default diagnosis;
