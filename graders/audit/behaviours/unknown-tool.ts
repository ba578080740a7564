import { isNothing } from "../../diagnoses/find/answer.ts";
import type { Behaviour } from "../behaviour.ts";
import { CRASHES, judgeCrash } from "../failing-calls.ts";
import { answersTo, fails, faultIn, holds, neverAnswers, repliesOf, unseen, wasTaken } from "../judging.ts";

/** The model makes up a tool. */
const behaviour: Behaviour = {
  id: "unknown-tool",
  order: 70,
  title: {
    es: "Responde con un error a una herramienta que no existe, y sigue",
    en: "Answers a tool that does not exist with an error, and goes on",
  },
  severity: "harms",
  scenarios: (cast) => {
    if (cast.tools.length === 0) return null;
    return [
      cast.script({ es: "Una herramienta inventada", en: "A made-up tool" }, [
        {
          text: { es: "Busco el dato. {{nonce}}", en: "I will find that out. {{nonce}}" },
          calls: [cast.inventedCall()],
        },
        { text: { es: "Sigo con lo que tengo. {{nonce}}", en: "I will go by what I have. {{nonce}}" } },
      ]),
    ];
  },
  judge: ([run], seen) => {
    const turn = run && repliesOf(run)[0];
    if (run === undefined || turn === undefined) return unseen(run);
    const answered = answersTo(run, turn);
    const never = answered === null ? neverAnswers(seen) : null;
    if (never !== null) return never;
    // The call has no data: a loop may go down on that, before it gets to the name.
    const own = faultIn([run], ["partial-json-parsed", ...CRASHES]);
    if (own !== null) return own;
    const [result] = answered?.calls[0]?.results ?? [];
    const name = `\`${answered?.calls[0]?.name ?? ""}\``;
    if (answered === null || result === undefined || !wasTaken(run, answered.request)) return judgeCrash(run, turn);
    if (result.is_error === true) {
      return holds({
        es: `El modelo pidió ${name}, que no existe, y recibió un error con \`is_error: true\`.`,
        en: `The model asked for ${name}, which does not exist, and got an error with \`is_error: true\`.`,
      });
    }
    if (isNothing(result.content)) {
      return fails({
        es: `El modelo pidió ${name}, que no existe, y recibió un resultado vacío.`,
        en: `The model asked for ${name}, which does not exist, and got an empty result.`,
      });
    }
    return fails(
      {
        es: `El modelo pidió ${name}, que no existe, y la respuesta le llegó sin \`is_error: true\`, como un resultado normal.`,
        en: `The model asked for ${name}, which does not exist, and the answer reached it without \`is_error: true\`, as an ordinary result.`,
      },
      { severity: "advice" },
    );
  },
};

export default behaviour;
