/** audit.schema.json needs no other beside it: what it says of a run is taken from check.schema.json, word for word. */
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import check from "../json/check.schema.json" with { type: "json" };

const FILE = new URL("audit.schema.json", import.meta.url);

interface Schema {
  $defs: Record<string, unknown>;
}

const published = () => JSON.parse(readFileSync(FILE, "utf8")) as Schema;

/** The definition of a run, and all that it refers to. */
function definitionsOfARun(): Record<string, unknown> {
  const { $defs }: Schema = check;
  const names = new Set(["run"]);
  for (const name of names) {
    for (const [, further] of JSON.stringify($defs[name]).matchAll(/"#\/\$defs\/(\w+)"/g)) names.add(further!);
  }
  return Object.fromEntries([...names].map((name) => [name, $defs[name]]));
}

test("a run is described as in check.schema.json", () => {
  const ofARun = definitionsOfARun();
  if (process.env.UPDATE) {
    const schema = published();
    writeFileSync(FILE, `${JSON.stringify({ ...schema, $defs: { ...schema.$defs, ...ofARun } }, null, 2)}\n`);
  }
  expect(Object.keys(ofARun)).toEqual(expect.arrayContaining(["run", "diagnosis", "printed", "count"]));
  expect(published().$defs, "write it anew: UPDATE=1 npx vitest run --project kit graders/reports/audit").toMatchObject(
    ofARun,
  );
});

test("it can be compiled by itself", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  expect(() => ajv.compile(published())).not.toThrow();
});
