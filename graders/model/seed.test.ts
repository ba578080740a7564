import { expect, test } from "vitest";
import { createRandom } from "./seed.ts";

const draws = (seed: string) => {
  const random = createRandom(seed);
  return [random.next(), random.int(1, 1000), random.token(12), random.pick(["a", "b", "c", "d"])];
};

test("the same seed gives the same draws", () => {
  expect(draws("k3f9x2")).toEqual(draws("k3f9x2"));
});

test("seeds that differ in one character give other draws", () => {
  const tokens = new Set(Array.from({ length: 2000 }, (_, i) => createRandom(`seed/${i}`).token(10)));
  expect(tokens.size).toBe(2000);
});

test("int stays within its bounds, reaches both, and favours none", () => {
  const random = createRandom("int");
  const seen = [0, 0, 0, 0, 0];
  for (let i = 0; i < 5000; i++) {
    const drawn = random.int(3, 7);
    seen[drawn - 3]! += 1;
  }
  expect(seen.reduce((sum, count) => sum + count)).toBe(5000);
  for (const count of seen) expect(Math.abs(count - 1000)).toBeLessThan(200);
});

test("the first draw of neighbouring seeds is spread out", () => {
  const low = Array.from({ length: 1000 }, (_, i) => createRandom(String(i)).next()).filter((n) => n < 0.5).length;
  expect(Math.abs(low - 500)).toBeLessThan(100);
});

test("a token has the length asked for, and only letters and digits", () => {
  expect(createRandom("token").token(22)).toMatch(/^[0-9A-Za-z]{22}$/);
});

test("picking from nothing is an error", () => {
  expect(() => createRandom("none").pick([])).toThrow(RangeError);
});
