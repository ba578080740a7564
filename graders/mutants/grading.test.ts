import { expect, test } from "vitest";
import type { ExerciseGrade } from "../grading/grade.ts";
import {
  failedWithAdvice,
  loopedOnOldReply,
  passed,
  passedWithAdvice,
  passedWithFault,
} from "../reports/testing/samples.ts";
import { verdictOf } from "./grading.ts";

const told = (grade: ExerciseGrade) => {
  const { verdict, names } = verdictOf(grade);
  return { verdict, names };
};

test("a mutant that fails is killed, and named by its mistake", () => {
  const [looped] = loopedOnOldReply().runs;
  expect(told(loopedOnOldReply())).toEqual({ verdict: "killed", names: [looped?.findings[0]?.id] });
});

test("where no mistake was seen, the advice that tells it is its name", () => {
  const [advised] = failedWithAdvice().runs;
  expect(told(failedWithAdvice())).toEqual({ verdict: "killed", names: [advised?.findings[0]?.id] });
});

test("what passes has survived, even if a mistake was seen, unless advice alone tells it", () => {
  expect(told(passed())).toEqual({ verdict: "survived", names: [] });
  expect(told(passedWithFault()).verdict).toBe("survived");
  expect(told(passedWithAdvice()).verdict).toBe("advised");
});
