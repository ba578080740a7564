import { expect, test } from "vitest";
import { jsonParse } from "./json-parse.ts";

const lineOf = (text: string) => jsonParse({ files: [{ name: "agent.ts", text }] })?.line ?? null;

test("the only JSON.parse", () => {
  expect(lineOf("const a = 1;\nconst input = JSON.parse(delta.partial_json);")).toBe(2);
});

test("none where there are two, or none", () => {
  expect(lineOf("JSON.parse(a);\nJSON.parse(b);")).toBeNull();
  expect(lineOf("JSON.stringify(a);\nschema.parse(b);")).toBeNull();
});
