import { expect, test } from "vitest";
import { createNonces, noncesIn, PLACES } from "./nonce.ts";

test("a nonce is a # and six letters or digits, and is found in a text that holds it", () => {
  const nonce = createNonces("s")(0);
  expect(nonce).toMatch(/^#[0-9a-z]{6}$/);
  expect(noncesIn(`restarted (${nonce}); ticket #12, ##${nonce}x`)).toEqual([nonce, nonce]);
});

test("no two ordinals of a run share a nonce", () => {
  const nonces = createNonces("s");
  const seen = new Set<string>();
  for (const start of Object.values(PLACES)) for (let i = 0; i < 20_000; i++) seen.add(nonces(start + i));
  expect(seen.size).toBe(60_000);
});

test("another seed gives other nonces", () => {
  const [a, b] = [createNonces("a"), createNonces("b")];
  const same = Array.from({ length: 1000 }, (_, i) => a(i) === b(i)).filter(Boolean);
  expect(same).toEqual([]);
});
