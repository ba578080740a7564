/** Conversations in which a mistake shows, as scenario files would hold them. Only for tests. */

const say = (es: string, en: string) => ({ es: `${es} {{nonce}}`, en: `${en} {{nonce}}` });

const tool = (name: string, es: string, en: string, required: readonly string[] = ["service"]) => ({
  name,
  description: { es, en },
  input_schema: {
    type: "object",
    properties: Object.fromEntries(required.map((key) => [key, { type: "string" }])),
    required,
  },
});

const tools = [
  tool("read_logs", "El final del registro de un servicio.", "The end of a service's log."),
  tool("restart_service", "Reinicia un servicio.", "Restarts a service."),
  tool("deploy_status", "Cómo va un despliegue.", "How a deployment is going."),
  tool("list_services", "Los servicios que hay.", "The services there are.", []),
];

const LOG = {
  returns: {
    es: "ERROR demasiadas conexiones, ningún cliente atendido ({{nonce}})",
    en: "ERROR too many connections, no client served ({{nonce}})",
  },
};
const RESTARTED = { returns: { restarted: "{{service}}", pid: "{{nonce}}" } };
const FAILS = { throws: { es: "disco lleno ({{nonce}})", en: "disk full ({{nonce}})" } };

const read = (service = "{{service}}", does: object | readonly object[] = LOG) => ({
  tool: "read_logs",
  input: { service },
  does,
});
const restart = (does: object = RESTARTED) => ({ tool: "restart_service", input: { service: "{{service}}" }, does });
const status = (percent: number) => ({
  tool: "deploy_status",
  input: { service: "{{service}}" },
  does: { returns: { percent, note: "{{nonce}}" } },
});
const invented = { tool: "reboot_planet", input: { planet: "{{service}}" }, invented: true };

const look = say("Primero reviso el registro.", "First I look at the log.");
const mend = say("Ahora lo reinicio.", "Now I restart it.");
const answer = { text: say("Listo: el servicio responde otra vez.", "Done: the service answers again.") };
const opening = { text: look, calls: [read()] };
const mending = { text: mend, calls: [restart()] };
const thinking = say("El registro dirá qué pasa.", "The log will say what is going on.");
const search = {
  query: { es: "caídas de {{service}}", en: "{{service}} outages" },
  finds: say("Ningún incidente.", "No incident."),
};
const slow = (service: string) => read(service, { ...LOG, takesMs: 10_000 });

const CUT_IN_TEXT = {
  text: say("El registro muestra que la causa es", "The log shows that the cause is"),
  stopReason: "max_tokens",
};
const CUT_IN_CALL = { text: mend, calls: [{ ...restart(), input: {} }], stopReason: "max_tokens" };
const FULL_WINDOW = {
  text: say("Con tantas líneas, lo único que se ve es", "In that many lines, all there is to see is"),
  stopReason: "model_context_window_exceeded",
};
const REFUSAL = {
  text: say("Empiezo por decir que no puedo", "Let me begin by saying that I cannot"),
  stopReason: "refusal",
};
const PAUSE = { text: say("Lo busco.", "I look it up."), search, stopReason: "pause_turn" };

/** What the model says, entry by entry, and what else the file holds. */
const scripts = {
  answered: { replies: [answer] },
  "one call": { replies: [opening, answer] },
  "one call without a word": { replies: [{ calls: [read()] }, answer] },
  "two turns": { replies: [opening, mending, answer] },
  "two turns without a word": { replies: [{ calls: [read()] }, { calls: [restart()] }, answer] },
  "three turns": { replies: [opening, { calls: [read("{{other}}")] }, mending, answer] },
  "side by side": { replies: [{ text: look, calls: [read(), read("{{other}}")] }, answer] },
  "a call without data": {
    replies: [{ calls: [{ tool: "list_services", input: {}, does: LOG }] }, mending, answer],
  },
  "thinks before it asks": { replies: [{ thinking, ...opening }, answer] },
  "thinks twice": { replies: [{ thinking, ...opening }, { thinking, ...mending }, answer] },
  "thinks before it answers": { replies: [opening, { thinking, ...answer }] },
  "answers in two texts": {
    replies: [opening, { ...answer, more: [say("El registro ya no trae errores.", "The log has no errors left.")] }],
  },
  "thinks in secret": { replies: [{ redacted: "EmwKAhgBEgy3va3pzix", ...opening }, answer] },
  "searches beside a call": { replies: [{ search, ...opening }, answer] },
  "waits for a deployment": {
    replies: [...[10, 35, 70, 100].map((percent) => ({ calls: [status(percent)] })), answer],
  },

  "tool throws": { replies: [{ text: look, calls: [read("{{service}}", FAILS)] }, answer] },
  "tool throws once": { replies: [{ text: look, calls: [read("{{service}}", [FAILS, LOG])] }, answer] },
  "one is slow": { replies: [{ text: look, calls: [slow("{{service}}"), read("{{other}}")] }, answer] },
  "one is slow, one throws": {
    replies: [{ text: look, calls: [slow("{{service}}"), read("{{other}}", FAILS)] }, answer],
  },
  "tool hangs": { replies: [{ text: look, calls: [read("{{service}}", { hangs: true })] }, answer] },
  "asks for approval": { replies: [opening, { text: mend, calls: [{ ...restart(), refuse: true }] }, answer] },
  "invented tool": { replies: [{ text: look, calls: [invented] }, answer] },

  "cut in a text": { replies: [opening, CUT_IN_TEXT, answer] },
  "cut in a call": { replies: [opening, CUT_IN_CALL, mending, answer] },
  "window full": { replies: [opening, FULL_WINDOW] },
  refuses: { replies: [opening, REFUSAL, answer] },
  "refuses for good": { replies: [opening, REFUSAL], endless: { from: 1 } },
  "refuses in a call": { replies: [opening, { ...REFUSAL, calls: [restart()] }, answer] },
  pauses: { replies: [opening, PAUSE, answer] },

  "busy once": { replies: [opening, { fault: 529 }, answer] },
  "busy three times": { replies: [opening, { fault: 529 }, { fault: 529 }, { fault: 529 }, answer] },
  "down for good": { replies: [opening, { fault: 500 }], endless: { from: 1 } },
  "stream breaks": { replies: [opening, { fault: "cut" }, answer] },
  "stream breaks before a call": { replies: [{ fault: "cut" }, { calls: [read()] }, answer] },
  "stream tells an error": { replies: [opening, { fault: 529, midStream: true }, answer] },
  "turned down once": { replies: [opening, { fault: 400 }, answer] },

  endless: { replies: [{ text: look, calls: [read("{{service}}-{{lap}}")] }], endless: { from: 0 } },
  // What is drawn is drawn anew in every lap: a model that is stuck names its services itself.
  "stuck on one call": { replies: [{ text: look, calls: [read("mail")] }], endless: { from: 0 }, stuck: true },
  "stuck on two calls": {
    replies: [{ calls: [read("mail")] }, { calls: [read("search")] }],
    endless: { from: 0 },
    stuck: true,
  },
  "slow tools": { replies: [{ text: look, calls: [slow("{{service}}"), slow("{{other}}")] }, mending, answer] },
  "slow tools, aborted": {
    replies: [{ text: look, calls: [slow("{{service}}"), slow("{{other}}")] }, mending, answer],
    options: { abortAfterMs: 4_000 },
  },
  "slow tool, aborted": {
    replies: [{ text: look, calls: [slow("{{service}}")] }, mending, answer],
    options: { abortAfterMs: 4_000 },
  },
  "two turns on a budget": { replies: [opening, mending, answer], options: { budget: 200 } },
  "endless on a budget": {
    replies: [{ text: look, calls: [read("{{service}}-{{lap}}")] }],
    endless: { from: 0 },
    options: { budget: 2_000 },
  },
} satisfies Record<string, { replies: readonly object[]; [more: string]: unknown }>;

export type Conversation = keyof typeof scripts;

/** The conversations as scenario files, by name. */
export const conversations: Readonly<Record<Conversation, unknown>> = Object.fromEntries(
  Object.entries(scripts).map(([name, script]) => [
    name,
    {
      title: name,
      vars: { service: ["payments", "checkout", "invoices", "refunds"], other: ["mail", "search", "catalogue"] },
      userInput: {
        es: "`{{service}}` no responde. ¿Qué le pasa?",
        en: "`{{service}}` does not answer. What is wrong?",
      },
      tools,
      ...script,
    },
  ]),
) as Record<Conversation, unknown>;
