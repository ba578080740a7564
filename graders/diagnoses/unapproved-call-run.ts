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
          es: "Sigue estos mismos datos por tu código: ¿en qué punto se decide si la llamada se ejecuta, y qué sale de ahí?",
          en: "Follow this very input through your code: where is it decided whether the call is run, and what comes out of it?",
        },
      };
    }
    return null;
  },
};

export default diagnosis;
