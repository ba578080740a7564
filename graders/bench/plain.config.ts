import { defineConfig } from "vitest/config";

/** The yardstick of `npm run bench`: what grading one exercise costs with vitest and MSW in one process, the usual way. */
export default defineConfig({
  test: { include: ["graders/bench/plain.bench-test.ts"], reporters: ["default"], watch: false },
});
