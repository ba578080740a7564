import { expect, test } from "vitest";
import { bucle } from "./testing/bucle.ts";

const CASES: [string, "es" | "en", Record<string, string>, string[]][] = [
  ["Mexican Spanish", "es", { LANG: "es_MX.UTF-8" }, []],
  ["American English", "en", { LC_ALL: "en_US.UTF-8" }, []],
  ["LC_ALL wins over LANG", "en", { LC_ALL: "en_US.UTF-8", LANG: "es_MX.UTF-8" }, []],
  ["an empty LC_ALL says nothing", "en", { LC_ALL: "", LANG: "en_US.UTF-8" }, []],
  ["the C locale has no language: Spanish", "es", { LANG: "C" }, []],
  ["French: Spanish", "es", { LANG: "fr_FR.UTF-8" }, []],
  ["--lang wins over the locale", "en", { LANG: "es_MX.UTF-8" }, ["--lang", "en"]],
  ["--lang= is the same", "es", { LANG: "en_US.UTF-8" }, ["--lang=es"]],
  ["BUCLE_LANG wins over the locale", "en", { BUCLE_LANG: "en", LANG: "es_MX.UTF-8" }, []],
  ["--lang wins over BUCLE_LANG", "es", { BUCLE_LANG: "en" }, ["--lang", "es"]],
  ["a BUCLE_LANG without texts leaves it to the locale", "en", { BUCLE_LANG: "fr", LANG: "en_US.UTF-8" }, []],
];

test.concurrent.each(CASES)("%s", async (_what, lang, env, args) => {
  const { stdout } = await bucle(["--help", ...args], { env });
  expect(stdout.split(" ")[0]).toBe({ es: "Uso:", en: "Usage:" }[lang]);
});
