import type { Behaviour } from "../behaviour.ts";
import { judgeUnfit } from "../unfit-calls.ts";

/** A call that is cut off in the middle of its input. */
const behaviour: Behaviour = {
  id: "truncated-call",
  order: 100,
  title: {
    es: "No ejecuta una llamada que `max_tokens` cortó a la mitad",
    en: "Does not run a call that `max_tokens` cut off in the middle",
  },
  severity: "harms",
  scenarios: (cast) => {
    const call = cast.cutCall();
    if (call === null) return null;
    return [
      cast.script({ es: "Una llamada a la mitad", en: "Half a call" }, [
        { text: { es: "Lo busco. {{nonce}}", en: "I will look. {{nonce}}" }, calls: [call], stopReason: "max_tokens" },
        { text: { es: "No hizo falta nada más. {{nonce}}", en: "Nothing else was needed. {{nonce}}" } },
      ]),
    ];
  },
  judge: ([run], seen) =>
    judgeUnfit(run, seen, {
      reason: "max_tokens",
      ran: "truncated-tool-call-run",
      own: ["partial-json-parsed"],
      what: {
        es: "El modelo estaba escribiendo una llamada cuando `max_tokens` lo cortó",
        en: "The model was writing a call when `max_tokens` cut it off",
      },
      asAnswer: {
        es: "Eso lo dijo antes de pedir la herramienta, y nada avisa de que quedó a medias.",
        en: "It said that before asking for the tool, and nothing tells that it was left half done.",
      },
    }),
};

export default behaviour;
