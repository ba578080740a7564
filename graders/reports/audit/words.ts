import type { BehaviourRow, Severity, ToolsInUse } from "../../audit/report.ts";
import type { Lang, Text } from "../../trace/text.ts";
import type { AuditTotals } from "./totals.ts";

/** The words of an audit's reports: everything they say that no behaviour and no diagnosis says. */
export const words = {
  heading: { es: "Auditoría de", en: "Audit of" },
  sandboxed: {
    es: "Dentro del sandbox, con las reglas de la entrega de un estudiante.",
    en: "Inside the sandbox, by the rules of a student's submission.",
  },
  notSandboxed: {
    es: "Esto no es un sandbox: tu código corrió con tus permisos y tus archivos.",
    en: "This is no sandbox: your code ran with your rights and your files.",
  },
  layers: { es: "Capas activas:", en: "Layers that were on:" },
  noLayers: { es: "Ninguna capa activa.", en: "No layer was on." },

  tools: { es: "Herramientas:", en: "Tools:" },
  run: { es: "se ejecutaron:", en: "these were run:" },
  notRun: {
    es: "No se ejecutaron, porque no las permitiste:",
    en: "Not run, since you did not allow them:",
  },
  leftOut: {
    es: "El modelo no las pide, como dijiste:",
    en: "The model does not ask for these, as you said:",
  },
  dangerous: {
    es: "Por su nombre cambian, borran, gastan o envían algo, y se ejecutaron de verdad:",
    en: "By their names they change, delete, spend or send something, and they were really run:",
  },
  refused: { es: "Quiso llegar a otros lugares, y no pudo:", en: "It tried to reach other places, and was refused:" },

  seenAt: {
    es: "Se vio en esta petición; lo que está mal puede estar más adelante:",
    en: "Seen at this request; what is wrong may stand further on:",
  },
  sameCause: { es: "por la misma causa que", en: "for the same cause as" },
  reason: { es: "Motivo:", en: "Reason:" },
  turn: { es: "turno", en: "turn" },
  first: { es: "Qué corregir primero", en: "What to mend first" },
  allHolds: {
    es: "Todo lo que se pudo comprobar se cumple.",
    en: "Everything that could be checked holds.",
  },
  total: { es: "Total:", en: "Total:" },
  more: { es: "Más detalle", en: "More detail" },
  accept: { es: "Aceptar una falla", en: "To accept a failure" },
  acceptReason: { es: "motivo", en: "reason" },
  repeat: { es: "Repetir tal cual", en: "To repeat it as it was" },
  audited: { es: "Se auditó", en: "Audited:" },
} satisfies Record<string, Text>;

/** Where its tools came from. */
export const toolsKinds = {
  kit: { es: "las del kit, por `#harness`", en: "the kit's, through `#harness`" },
  own: { es: "las tuyas", en: "your own" },
  stubbed: { es: "las tuyas, con dobles en su lugar", en: "your own, with stand-ins in their place" },
  none: { es: "no le ofrece ninguna al modelo", en: "it offers the model none" },
} satisfies Record<ToolsInUse["kind"], Text>;

/** What a failure amounts to. */
export const severities = {
  breaks: {
    es: "la API la rechaza, o la conversación no termina",
    en: "the API rejects it, or the conversation does not end",
  },
  harms: {
    es: "una respuesta o una acción equivocada, cortada o repetida",
    en: "a wrong, cut-off or repeated answer or action",
  },
  advice: { es: "funciona, y podría funcionar mejor", en: "it works, and could work better" },
} satisfies Record<Severity, Text>;

/** A failure's severity in a word. */
export const severityNames = {
  breaks: { es: "rompe", en: "breaks" },
  harms: { es: "daña", en: "harms" },
  advice: { es: "consejo", en: "advice" },
} satisfies Record<Severity, Text>;

/** How a row stands, in a word or two. Its title says what should be: the severity of a failure stands apart from it. */
export const labels = {
  holds: { es: "cumple", en: "holds" },
  fails: { es: "falla", en: "fails" },
  advice: { es: "consejo", en: "advice" },
  ignored: { es: "aceptada", en: "accepted" },
  "not-applicable": { es: "no aplica", en: "n/a" },
  "not-observable": { es: "no se ve", en: "not seen" },
} satisfies Record<string, Text>;

export type Standing = keyof typeof labels;

/** How a row stands. Advice is no failure that counts, and neither is one that was accepted. */
export function standingOf({ status, severity, ignored }: BehaviourRow): Standing {
  if (status !== "fails") return status;
  if (ignored !== null) return "ignored";
  return severity === "advice" ? "advice" : "fails";
}

export const counted = {
  others: (n: number): Text => ({ es: `y ${n} más por lo mismo`, en: `and ${n} more for the same cause` }),
  notShown: (n: number): Text => ({
    es: `Y ${n} más, en la tabla.`,
    en: `And ${n} more, in the table.`,
  }),
};

/** @param endpoint where its requests went */
export function coverage(endpoint: string): Text {
  return {
    es: `Se probó lo que envía a ${endpoint}. Otros proveedores y los clientes de Bedrock y Vertex no se probaron.`,
    en: `Covered: what it sends to ${endpoint}. Other providers and the Bedrock and Vertex clients are not.`,
  };
}

/** How many rows stand how, by the words of the table. */
export function totalParts(totals: AuditTotals, lang: Lang): string[] {
  const severe = (["breaks", "harms"] as const).filter((severity) => totals[severity] > 0);
  const failing = severe.map((severity) => `${severityNames[severity][lang]} ${totals[severity]}`).join(", ");
  const counts: [Standing, number, string?][] = [
    ["fails", totals.breaks + totals.harms, ` (${failing})`],
    ["advice", totals.advice],
    ["ignored", totals.ignored],
    ["holds", totals.holds],
    ["not-applicable", totals.notApplicable],
    ["not-observable", totals.notObservable],
  ];
  return counts.flatMap(([standing, n, more = ""]) => (n > 0 ? [`${labels[standing][lang]} ${n}${more}`] : []));
}
