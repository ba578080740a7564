import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject, test } from "vitest";
import { stopWhen } from "../../diagnoses/catalog/catalog.ts";
import { openScenario } from "../../model/scenario.ts";
import { compileProject } from "../../sandbox/compile/project.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { runtimeUrl } from "../../sandbox/spawn.ts";
import { castFor, KIT_TOOLS } from "../cast.ts";

test("scratch", async () => {
  const rt = inject("runtime");
  for (const name of (process.env.FW ?? "").split(",")) {
    const made = await compileProject(join("graders/audit/frameworks", name), {
      runtimeUrl: runtimeUrl(rt),
      root: process.cwd(),
      stub: null,
    });
    if (!made.ok) throw new Error(JSON.stringify(made.refusal));
    const cast = castFor({
      seed: "x",
      tools: { kind: "kit", list: KIT_TOOLS.map(({ name }) => ({ name, dangerous: false, called: true })) },
      definitions: [],
      settings: { inputs: {} },
    });
    const scenario = openScenario(
      cast.script({ es: "a", en: "a" }, [{ text: "hm {{nonce}}", calls: [cast.call()!] }, { text: "end {{nonce}}" }]),
      { name: "x", seed: "x", lang: "en" },
    );
    const sandbox = createSandbox({ runtime: rt, trusted: { cwd: process.cwd() } });
    for (let i = 0; i < 2; i++) {
      const run = await sandbox.run({
        program: made.value,
        entry: "runAgent",
        scenario,
        toolsSeen: "results",
        stopWhen: (t) => stopWhen(t, scenario, { cap: null }),
      });
      console.log(
        name,
        run.outcome,
        run.kind,
        run.error?.message,
        run.ms,
        "children",
        sandbox.children,
        JSON.stringify(run.trace.map((e) => [e.type, "at" in e && e.at ? `${e.at.file}:${e.at.line}` : null])),
        run.printed,
      );
    }
    await sandbox.close();
  }
});
