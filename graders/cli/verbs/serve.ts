import { SEED } from "../options.ts";
import type { Verb } from "../verb.ts";

const verb: Verb = {
  name: "serve",
  order: 65,
  summary: {
    es: "el modelo con guion en un puerto, para cualquier lenguaje",
    en: "the scripted model on a port, for any language",
  },
  argument: {
    syntax: "[scenario]",
    text: { es: "un escenario del kit, o un archivo tuyo", en: "a scenario of the kit's, or a file of yours" },
  },
  options: [
    {
      flags: "--port",
      value: { es: "n", en: "n" },
      text: { es: "en este puerto (si no: uno libre)", en: "on this port (else: a free one)" },
    },
    SEED,
    { flags: "--json", text: { es: "una línea de JSON por suceso", en: "one line of JSON for each event" } },
  ],
  // What it needs takes long to load, and nobody else needs it.
  run: async (kit, words, options) => (await import("../serve.ts")).run(kit, words, options),
};

export default verb;
