import { defineConfig } from "vitest/config";

const shared = {
  globalSetup: "graders/testing/build-runtime.ts",
  // Only ends what hangs: a busy machine may be many times slower than an idle one.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // Most of a test's time is a child's: every core can have a test file. Loading the kit anew for each file costs more
  // than all the pure tests together, and no file leaves anything behind in a module.
  maxWorkers: "100%",
  isolate: false,
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
