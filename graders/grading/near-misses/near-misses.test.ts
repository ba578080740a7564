/** Each known mistake, made as a student makes it and run in the sandbox, is told by its own name and on its own line. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diagnoses } from "../../diagnoses/catalog/catalog.ts";
import { LANGS } from "../../trace/text.ts";
import { lookAlikes, nearMisses } from "./roll.ts";
import { openRoom } from "./room.ts";

const DRAWS = LANGS.flatMap((lang) => [1, 2].map((nth) => ({ seed: `near miss ${nth} ${lang}`, lang, nth })));

const GRADING = join(import.meta.dirname, "..");
const COURSE = join(GRADING, "..", "..");

const textOf = (program: string) => readFileSync(join(GRADING, `${program}.ts`), "utf8");

/** The line that ends in `// here`, or, where the formatter has put it on a line of its own, the one before it. */
function markedLine(text: string): number | null {
  const marked = text.split(/\r?\n/).flatMap((line, index) => {
    if (!line.endsWith("// here")) return [];
    return line.trim() === "// here" ? index : index + 1;
  });
  expect(marked.length).toBeLessThanOrEqual(1);
  return marked[0] ?? null;
}

/** Names of the programs in a folder. */
function programsIn(folder: string): string[] {
  const others = ["near-misses.test.ts", "lines.test.ts", "roll.ts", "room.ts", "scenarios.ts"];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !others.includes(name))
    .map((name) => name.replace(/\.ts$/, ""));
}

/** Diagnoses without a near miss, and why. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  "out-of-time": "it needs the clock to run out",
};

test("every diagnosis has a near miss, here or in an exercise, and an honest look-alike", () => {
  const exercises = readdirSync(join(COURSE, "solutions")).map((name) => join(COURSE, "solutions", name, "wrong"));
  const taught = exercises.filter((folder) => existsSync(folder)).flatMap(programsIn);
  const shown = new Set([...taught, ...Object.keys(nearMisses)].map((program) => program.split(".")[0]));
  const ids = diagnoses.map(({ id }) => id);
  expect(ids.filter((id) => !shown.has(id))).toEqual(Object.keys(NOT_SHOWN));
  expect(new Set(Object.keys(lookAlikes).map((name) => name.split(".")[0]))).toEqual(new Set(ids));
});

test("every program is played, and nothing else", () => {
  const here = programsIn(import.meta.dirname).map((name) => `near-misses/${name}`);
  const honest = programsIn(join(import.meta.dirname, "honest")).map((name) => `near-misses/honest/${name}`);
  const played = [
    ...Object.keys(nearMisses).map((name) => `near-misses/${name}`),
    ...Object.values(lookAlikes).map(({ program }) => program),
  ];
  expect([...here, ...honest].filter((name) => !played.includes(name))).toEqual([]);
  expect(played.filter((name) => !existsSync(join(GRADING, `${name}.ts`)))).toEqual([]);
});

describe.each(DRAWS)("$seed", (draw) => {
  const play = openRoom(draw);

  const played = Object.entries(nearMisses).filter(([, { once }]) => !once || draw === DRAWS[0]);

  test.each(played)("%s", async (program, miss) => {
    const text = textOf(`near-misses/${program}`);
    const { run, found } = await play(text, miss);
    const [headline] = found;
    expect({
      headline: headline?.id,
      line: headline?.at?.line ?? null,
      ends: run.kind ?? run.outcome,
    }).toEqual({ headline: program.split(".")[0], line: markedLine(text), ends: miss.ends });
    expect(miss.line === null).toBe(headline?.at == null);
    for (const lang of LANGS) {
      for (const part of ["headline", "detail", "next"] as const) expect(headline?.[part][lang]).toMatch(/\S/);
    }
  });

  // Half as often: a run costs what a near miss does, and there are more of them.
  test.each(draw.nth === 1 ? Object.entries(lookAlikes) : [])(
    "honest, though it looks like %s",
    async (name, { program, ends, ...stage }) => {
      const id = name.split(".")[0];
      const { run, found } = await play(textOf(program), stage);
      const wrong = found.filter((each) => each.weight === "fault" || each.id === id).map((each) => each.id);
      expect({ wrong, ends: run.kind ?? run.outcome }).toEqual({ wrong: [], ends });
    },
  );
});
