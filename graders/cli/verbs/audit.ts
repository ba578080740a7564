import { JSON_DOCUMENT, SEED, VERBOSE } from "../options.ts";
import type { Verb } from "../verb.ts";

const verb: Verb = {
  name: "audit",
  order: 60,
  summary: {
    es: "cómo se comporta un bucle tuyo ante cada stop_reason y cada falla",
    en: "how a loop of your own behaves on every stop_reason and fault",
  },
  argument: { syntax: "[file]", text: { es: "el archivo con tu bucle", en: "the file with your loop" } },
  options: [
    {
      flags: "--command",
      value: { es: "orden", en: "command" },
      text: {
        es: "en lugar de un archivo: un programa en cualquier lenguaje",
        en: "instead of a file: a program in any language",
      },
    },
    {
      flags: "--export",
      value: { es: "nombre", en: "name" },
      text: { es: "qué función exportada es el bucle", en: "which exported function is the loop" },
    },
    {
      flags: "--allow-tool",
      value: { es: "nombre", en: "name" },
      repeat: true,
      text: { es: "deja que se ejecute esta herramienta tuya", en: "let this tool of yours be run" },
    },
    {
      flags: "--stub-tools",
      value: { es: "módulo", en: "module" },
      text: {
        es: "el módulo de tus herramientas: se pone un doble en lugar de cada una",
        en: "the module of your tools: a stand-in takes the place of each",
      },
    },
    {
      flags: "--leave-tool",
      value: { es: "nombre", en: "name" },
      repeat: true,
      text: { es: "que el modelo no pida esta herramienta", en: "let the model not ask for this tool" },
    },
    {
      flags: "--ignore",
      value: { es: "id=motivo", en: "id=reason" },
      repeat: true,
      text: { es: "acepta esta falla; queda en audit.json", en: "accept this failure; kept in audit.json" },
    },
    {
      flags: "--max-calls",
      value: { es: "n", en: "n" },
      text: {
        es: "máximo de llamadas en la conversación sin fin (250)",
        en: "most model calls of the endless conversation (250)",
      },
    },
    {
      flags: "--sandbox",
      text: { es: "con las reglas de un estudiante: sin tu carpeta", en: "by a student's rules: without your folder" },
    },
    JSON_DOCUMENT,
    {
      flags: "--format",
      value: { es: "json|sarif|github|junit", en: "json|sarif|github|junit" },
      text: { es: "otro formato", en: "another format" },
    },
    VERBOSE,
    SEED,
  ],
  // What it needs takes long to load, and nobody else needs it.
  run: async (kit, words, options) => (await import("../audit.ts")).run(kit, words, options),
};

export default verb;
