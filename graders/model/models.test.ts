import type Anthropic from "@anthropic-ai/sdk";
import { expect, expectTypeOf, test } from "vitest";
import { allowsPrefill, isKnownModel, MODEL_IDS } from "./models.ts";

test("the current models are known, retired and made-up ones are not", () => {
  for (const id of ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-4-5-20251001"])
    expect(isKnownModel(id), id).toBe(true);
  for (const id of ["claude-sonnet-4-20250514", "gpt-9", "", "__proto__", "toString"])
    expect(isKnownModel(id), id).toBe(false);
});

test("only models before 4.6 let a request end on the assistant", () => {
  expect(MODEL_IDS.filter(allowsPrefill)).toEqual(MODEL_IDS.filter((id) => /-4-5(-\d{8})?$/.test(id)));
});

test("an id of the SDK's type is a string, so every one of ours can be sent", () => {
  expectTypeOf<(typeof MODEL_IDS)[number]>().toExtend<Anthropic.Model>();
});
