import type { Diagnosis } from "../trace/diagnosis.ts";
import { askedBy, delivered, ran, scriptOf } from "./find/calls.ts";
import { code, json } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "unapproved-call-run",
  rank: 240,
  weight: "fault",
  exercise: "2.6",
  detect(run) {
    const refusable = delivered(run.trace)
      .flatMap((reply) => askedBy(reply))
      .filter((asked) => scriptOf(run.scenario, asked)?.refuse);
    for (const { call, key } of ran(run.trace)) {
      const asked =
        refusable.find((each) => each.id === call.answers) ??
        refusable.find((each) => each.key === key && each.reply.seq < call.seq);
      if (asked === undefined) continue;
      return {
        turn: call.turn,
        at: call.at,
        headline: {
          es: "Tu bucle ejecutó una acción que no estaba permitida",
          en: "Your loop ran an action that was not allowed",
        },
        detail: {
          es: `El modelo pidió ${code(asked.name)} con ${json(asked.input, 90)}, y esa llamada había que denegarla; tu código la ejecutó. Pedir no es hacer: entre el \`tool_use\` y la herramienta está tu código, y es el único que puede decir que no.`,
          en: `The model asked for ${code(asked.name)} with ${json(asked.input, 90)}, and that call had to be refused; your code ran it. Asking is not doing: between the \`tool_use\` and the tool stands your code, and it alone can say no.`,
        },
        next: {
          es: "¿En qué punto decides si una llamada se ejecuta, y qué recibe el modelo cuando la respuesta es no?",
          en: "At which point do you decide whether a call is run, and what does the model get when the answer is no?",
        },
      };
    }
    return null;
  },
};

export default diagnosis;
