import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test.each([
  ["src/agent.ts", "src/agent.ts"],
  ["C:/code/agent.ts", "C:/code/agent.ts"],
  ["my loops/agent.ts", '"my loops/agent.ts"'],
  ["loops (old)/agent.ts", '"loops (old)/agent.ts"'],
  ["it's/agent.ts", '"it\'s/agent.ts"'],
  ["a&b/agent.ts", '"a&b/agent.ts"'],
])("%s is written %s", (path, word) => {
  expect(shellWord(path)).toBe(word);
});
