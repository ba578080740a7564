import { readFileSync } from "node:fs";
import { test } from "vitest";
import { nearMisses } from "./roll.ts";
import { openRoom } from "./room.ts";

const play = openRoom({ seed: process.env.S ?? "x", lang: "en" });
const name = process.env.P!;
test("x", async () => {
  const { run, found } = await play(readFileSync(new URL(`./${name}.ts`, import.meta.url), "utf8"), nearMisses[name]!);
  console.log(run.outcome, run.kind, run.error, run.measured, run.ms);
  for (const e of run.trace) console.log(JSON.stringify(e).slice(0, 900));
  console.log(JSON.stringify(found, null, 1), run.printed.head.join("\n"));
});
