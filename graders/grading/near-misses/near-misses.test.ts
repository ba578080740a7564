/** Each known mistake, made as a student makes it and run in the sandbox, is told by its own name and on its own line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LANGS } from "../../trace/text.ts";
import { lookAlikes, nearMisses } from "./roll.ts";
import { openRoom } from "./room.ts";

const DRAWS = LANGS.flatMap((lang) => ["first", "second"].map((seed) => ({ seed: `near miss ${seed} ${lang}`, lang })));

const textOf = (program: string) => readFileSync(join(import.meta.dirname, "..", `${program}.ts`), "utf8");

/** The line that ends in `// here`, or, where the formatter has put it on a line of its own, the one before it. */
function markedLine(text: string): number | null {
  const marked = text.split("\n").flatMap((line, index) => {
    if (!line.endsWith("// here")) return [];
    return line.trim() === "// here" ? index : index + 1;
  });
  expect(marked.length).toBeLessThanOrEqual(1);
  return marked[0] ?? null;
}

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

  test.each(Object.entries(lookAlikes))("honest, though it looks like %s", async (id, { program, ends, ...stage }) => {
    const { run, found } = await play(textOf(program), stage);
    const wrong = found.filter((each) => each.weight === "fault" || each.id === id).map((each) => each.id);
    expect({ wrong, ends: run.kind ?? run.outcome }).toEqual({ wrong: [], ends });
  });
});
