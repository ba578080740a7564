/** Folders read instead of registries: Vite gives it in the tests, `cli/build.mjs` gives the bundle the same. */
interface ImportMeta {
  glob<T>(pattern: string | string[], options: { eager: true; import: "default" }): Record<string, T>;
}
