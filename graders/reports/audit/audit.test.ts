import fc from "fast-check";
import { expect, test } from "vitest";
import type { AuditReport, BehaviourRow } from "../../audit/report.ts";
import { LANGS } from "../../trace/text.ts";
import * as samples from "../testing/audit-samples.ts";
import { auditFormats } from "./audit.ts";
import { totalsOf } from "./totals.ts";

const SAMPLES = Object.entries(samples) as [string, () => AuditReport][];
/** What each is kept as: names that no formatter of this repository takes for its own. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  github: "github",
  json: "document",
  junit: "xml",
  sarif: "sarif",
};

test("a format is a file in formats/", () => {
  expect(Object.keys(auditFormats).sort()).toEqual(Object.keys(EXTENSIONS).sort());
});

for (const lang of LANGS) {
  test.each(Object.entries(EXTENSIONS))(`%s stays as it is (${lang})`, async (name, extension) => {
    const text = auditFormats[name]!(samples.ownTools(), lang);
    await expect(`${text}\n`).toMatchFileSnapshot(`./golden/formats.${lang}.${extension}`);
  });
}

test.each(Object.keys(auditFormats))(
  "%s holds no character that hides or moves text, and ends with no newline",
  (name) => {
    for (const [, make] of SAMPLES) {
      const text = auditFormats[name]!(make(), "en");
      expect(text).not.toMatch(
        /(?![\n\t])\p{Control}|\p{Bidi_Control}|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/u,
      );
      expect(text).not.toMatch(/\n$/);
    }
  },
);

test.each(Object.keys(auditFormats))("%s can be written whatever the audited code says", (name) => {
  const nasty = fc.constantFrom("\u001b[", "::", "\n", "\r", "%0A", "]]>", "<!--", "&", '"', "\ud800", "\ufffe", "##[");
  const text = fc.array(fc.oneof(nasty, fc.string({ unit: "binary" }))).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (message, file) => {
      const report = saying(message, file);
      expect(auditFormats[name]!(report, "es")).not.toMatch(/(?![\n\t])\p{Control}|\p{Surrogate}/u);
    }),
    { seed: 7 },
  );
});

test.each(SAMPLES)("%s: every row is counted once", (_name, make) => {
  const report = make();
  const { holds, fails, breaks, harms, advice, ignored, notApplicable, notObservable } = totalsOf(report);
  expect(breaks + harms + advice).toBe(fails);
  expect(holds + fails + ignored + notApplicable + notObservable).toBe(report.behaviours.length);
});

function saying(message: string, file: string): AuditReport {
  const report = samples.mixed();
  const behaviours = report.behaviours.map(
    (row): BehaviourRow => ({
      ...row,
      message: { es: message, en: message },
      at: { file, line: 1, column: 1 },
      ignored: row.ignored && message,
    }),
  );
  return { ...report, subject: `${message}/${file}`, refusedHosts: [message], behaviours };
}
