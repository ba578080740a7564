import type { Behaviour } from "../behaviour.ts";
import { judgeTwo, twoConversations } from "../two-conversations.ts";

/** Two conversations at the same time. */
const behaviour: Behaviour = {
  id: "two-at-once",
  order: 240,
  title: {
    es: "Mantiene separadas dos conversaciones que ocurren a la vez",
    en: "Keeps two conversations apart that go on at once",
  },
  severity: "harms",
  scenarios: twoConversations,
  together: "at-once",
  judge: (runs) =>
    judgeTwo(runs, {
      es: "Dos conversaciones a la vez: en ninguna apareció nada de la otra.",
      en: "Two conversations at once: nothing of the one turned up in the other.",
    }),
};

export default behaviour;
