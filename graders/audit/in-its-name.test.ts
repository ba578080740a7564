import { expect, test } from "vitest";
import { diagnose } from "../diagnoses/catalog/catalog.ts";
import { play } from "../testing/play.ts";
import { LANGS } from "../trace/text.ts";
import { inItsName, type Named } from "./in-its-name.ts";
import { loop } from "./testing/loops.ts";

const found = (es: string, en: string) => ({
  id: "threw",
  weight: "fault" as const,
  exercise: "2.3",
  turn: 1,
  at: null,
  headline: { es, en },
  detail: { es, en },
  next: { es, en },
});

const PROGRAM: Named = { entry: null, usesHarness: false };
const DEFAULT: Named = { entry: "default", usesHarness: false };
const ASK: Named = { entry: "$ask", usesHarness: true };

test.each<[Named, es: string, en: string, toldEs: string, toldEn: string]>([
  [
    PROGRAM,
    "`runAgent` terminó con un error",
    "`runAgent` ended with an error",
    "El programa terminó con un error",
    "The program ended with an error",
  ],
  [
    PROGRAM,
    "Quien llamó a `runAgent`, fuera de `runAgent`.",
    "Whoever called `runAgent`.",
    "Quien llamó al programa, fuera del programa.",
    "Whoever called the program.",
  ],
  [
    PROGRAM,
    "Se cayó. `runAgent` no volvió: lo que devolvió tu función es poco.",
    "It fell. `runAgent` was gone: what your function returned is little.",
    "Se cayó. El programa no volvió: lo que imprimió tu programa es poco.",
    "It fell. The program was gone: what your program printed is little.",
  ],
  [
    PROGRAM,
    "Tu función los devolvió todos, y tu función no la devolvió.",
    "Your function did not return it.",
    "Tu programa los imprimió todos, y tu programa no la imprimió.",
    "Your program did not print it.",
  ],
  [PROGRAM, "¿`executeTool` espera?", "Does `executeTool` wait?", "¿Tu herramienta espera?", "Does your tool wait?"],
  [DEFAULT, "`runAgent` esperaba", "`runAgent` waited", "Tu función esperaba", "Your function waited"],
  [
    ASK,
    "`runAgent` y `executeTool`",
    "`runAgent` and `executeTool`",
    "`$ask` y `executeTool`",
    "`$ask` and `executeTool`",
  ],
])("%o: %s", (named, es, en, toldEs, toldEn) => {
  const told = inItsName(found(es, en), named);
  for (const text of [told.headline, told.detail, told.next]) expect(text).toEqual({ es: toldEs, en: toldEn });
});

test("whatever is found in a program, it is not called a function", async () => {
  const agents = [
    loop({ results: () => Promise.reject(new Error("No runner is set")) }),
    loop({ on: () => false }),
    loop({ answer: () => "else" }),
    loop({ answer: () => "" }),
  ];
  const texts: string[] = [];
  for (const agent of agents) {
    for (const { headline, detail, next } of diagnose(await play(agent)).map((each) => inItsName(each, PROGRAM))) {
      texts.push(...LANGS.flatMap((lang) => [headline[lang], detail[lang], next[lang]]));
    }
  }
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) expect(text).not.toMatch(/runAgent|your function|tu función|executeTool/i);
});
