import { defineConfig } from "vitest/config";

const shared = {
  globalSetup: "graders/testing/build-runtime.ts",
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: "kit", include: ["graders/**/*.test.ts"] } },
      // What an editor's test panel shows: one test per criterion of each exercise, same engine, same verdicts.
      { test: { ...shared, name: "exercises", include: ["exercises/*.test.ts"] } },
    ],
  },
});
