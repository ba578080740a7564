import { writeFileSync } from "node:fs";
import { test } from "vitest";
import * as s from "../testing/audit-samples.ts";
import { auditFormats, toAuditTerminal } from "./audit.ts";

test("show", () => {
  for (const [n, make] of Object.entries(s))
    for (const lang of ["es", "en"] as const) {
      for (const verbose of [false, true])
        writeFileSync(
          `/tmp/h-audit/${n}.${lang}${verbose ? ".v" : ""}.txt`,
          toAuditTerminal(make(), { lang, colour: false, columns: 80, verbose }) + "\n",
        );
      writeFileSync(
        `/tmp/h-audit/${n}.${lang}.col.txt`,
        toAuditTerminal(make(), { lang, colour: true, columns: 80, verbose: false }) + "\n",
      );
      for (const [f, fmt] of Object.entries(auditFormats))
        writeFileSync(`/tmp/h-audit/${n}.${lang}.${f}`, fmt(make(), lang) + "\n");
    }
});
