/** What happens on the port, in lines a person reads. */
import { count, cut } from "../diagnoses/words/words.ts";
import { clean, cleanName } from "../reports/clean.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Lang, Text } from "../trace/text.ts";
import type { Happening } from "./trying.ts";

const NAMES = 200;
const SAID = 100;

/** How to point a client here, and what to ask: the lines that come first. */
export function opening(scenario: Scenario, url: string, lang: Lang): string[] {
  const { name, title, seed, userInput, tools } = scenario;
  const key = { es: "cualquiera", en: "anything" }[lang];
  const offered = tools.map((tool) => {
    const fields = Object.keys((tool.input_schema.properties as object | undefined) ?? {});
    return `${tool.name}(${fields.join(", ")})`;
  });
  return {
    es: [
      `El modelo con guion responde en ${url} y sigue el escenario ${name}: ${title.es}. Semilla ${seed}.`,
      "",
      "Donde vayas a ejecutar tu programa:",
      `  bash        export ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${key}`,
      `  PowerShell  $env:ANTHROPIC_BASE_URL="${url}"; $env:ANTHROPIC_API_KEY="${key}"`,
      "",
      `Pregunta:     ${userInput}`,
      `Herramientas: ${offered.join(", ") || "ninguna"}`,
      ...(offered.length > 0 ? ["              Ofrécelas en `tools`: el modelo no pide las que no ve."] : []),
      "",
      "Ctrl-C para terminar.",
    ],
    en: [
      `The scripted model answers at ${url} and follows the scenario ${name}: ${title.en}. Seed ${seed}.`,
      "",
      "Where you will run your program:",
      `  bash        export ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${key}`,
      `  PowerShell  $env:ANTHROPIC_BASE_URL="${url}"; $env:ANTHROPIC_API_KEY="${key}"`,
      "",
      `Ask it: ${userInput}`,
      `Tools:  ${offered.join(", ") || "none"}`,
      ...(offered.length > 0 ? ["        Offer them in `tools`: the model asks for none that it does not see."] : []),
      "",
      "Ctrl-C to end.",
    ],
  }[lang];
}

/** One thing that happened, as lines. What came from the program is made safe to show. */
export function linesOf(happening: Happening, lang: Lang): string[] {
  switch (happening.event) {
    case "request":
      return requestLines(happening, lang);
    case "reply":
      return [`  ← ${replied(happening)[lang]}`];
    case "count":
      return [`→ count_tokens  ← ${happening.status}`];
    case "elsewhere": {
      const asked = cut(cleanName(`${happening.method} ${happening.path}`), NAMES);
      return [`→ ${asked}  ← 404: ${NOTHING_HERE[lang]}`];
    }
    case "found":
      return foundLines(happening, lang);
    case "end":
      return endLines(happening, lang);
  }
}

function requestLines({ conversation, turn, messages, tools, results }: Of<"request">, lang: Lang): string[] {
  const held = count(messages, ["mensaje", "mensajes"], ["message", "messages"])[lang];
  const names = cut(tools.map(cleanName).join(", "), NAMES);
  const offers = { es: names ? `ofrece ${names}` : "sin herramientas", en: names ? `offers ${names}` : "no tools" }[
    lang
  ];
  const place = turn === 1 && messages === 1 && conversation > 1 ? CONVERSATION(conversation)[lang] : "";
  return [
    `→ ${place}${{ es: "turno", en: "turn" }[lang]} ${turn} · ${held} · ${offers}`,
    ...results.map(({ name, isError, content }) => {
      const failed = isError ? " (is_error)" : "";
      return `    ${cleanName(name)}${failed}: ${cut(clean(content), SAID)}`;
    }),
  ];
}

const CONVERSATION = (number: number): Text => ({ es: `conversación ${number} · `, en: `conversation ${number} · ` });

function replied({ status, kind, stopReason, text, calls, error, broke }: Of<"reply">): Text {
  const said = cut(text, SAID);
  const failed = error === null ? "" : `${cleanName(error.type)}: ${cut(clean(error.message), 400)}`;
  if (broke === "cut")
    return { es: `${status}, y el stream se corta a la mitad`, en: `${status}, and the stream is cut` };
  if (broke === "error") {
    return { es: `${status}, y a mitad del stream: ${failed}`, en: `${status}, and in mid-stream: ${failed}` };
  }
  if (kind === "fault") {
    return { es: `${status} ${failed} (lo pide el guion)`, en: `${status} ${failed} (the script asks for it)` };
  }
  const asked = calls.map(({ name, input }) => `${name}(${cut(JSON.stringify(input) ?? "", SAID)})`).join(", ");
  const what = failed || [stopReason, asked, said].filter((part) => part).join(" · ");
  return { es: `${status} ${what}`, en: `${status} ${what}` };
}

function foundLines({ why, findings }: Of<"found">, lang: Lang): string[] {
  const told = findings.flatMap(({ id, weight, turn, headline }) => [
    `  ${weight === "fault" ? "✗" : "·"} ${headline[lang]} (${{ es: "turno", en: "turn" }[lang]} ${turn})`,
    `    npx bucle explain ${id}`,
  ]);
  const nothing = { es: "  No se ha visto nada mal.", en: "  Nothing wrong has been seen." }[lang];
  return ["", WHY[why][lang], ...(told.length === 0 ? [nothing] : told), ...(why === "left" ? [] : [AGAIN[lang], ""])];
}

const NOTHING_HERE: Text = { es: "aquí no hay nada", en: "there is nothing here" };

const WHY: Record<Of<"found">["why"], Text> = {
  over: {
    es: "El modelo dijo todo lo que tenía en el guion. Hasta aquí:",
    en: "The model has said all that its script holds. So far:",
  },
  stopped: {
    es: "Ya se vio bastante, y esta conversación no recibe más respuestas: detén tu programa. Lo que pasa:",
    en: "Enough has been seen, and this conversation gets no more answers: stop your program. What happens:",
  },
  left: {
    es: "La conversación se quedó sin terminar. Hasta aquí:",
    en: "The conversation was left unfinished. So far:",
  },
};

const AGAIN: Text = {
  es: "Una petición con un historial nuevo empieza otra vez desde el principio.",
  en: "A request with a fresh history starts over.",
};

function endLines({ conversations, counts }: Of<"end">, lang: Lang): string[] {
  const parts: Text[] = [
    count(conversations, ["conversación", "conversaciones"], ["conversation", "conversations"]),
    count(counts.httpRequests, ["petición", "peticiones"], ["request", "requests"]),
    count(counts.callModel, ["respuesta del modelo", "respuestas del modelo"], ["reply", "replies"]),
    count(counts.executeTool, ["herramienta ejecutada", "herramientas ejecutadas"], ["tool run", "tool runs"]),
    count(counts.rejected, ["petición rechazada", "peticiones rechazadas"], ["request rejected", "requests rejected"]),
    count(counts.faulted, ["fallo del guion", "fallos del guion"], ["fault of the script", "faults of the script"]),
  ];
  return ["", `${parts.map((part) => part[lang]).join(" · ")}`];
}

type Of<E extends Happening["event"]> = Extract<Happening, { event: E }>;
