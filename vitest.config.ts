import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "kit", include: ["graders/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } },
      { test: { name: "exercises", include: ["exercises/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
