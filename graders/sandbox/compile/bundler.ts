/**
 * The bundler's process, kept alive: some inputs overflow its stack, after which every build in this process fails until
 * it is started anew.
 */
import type { BuildOptions, BuildResult, Message } from "esbuild";

/** A build is some milliseconds. */
const BUILD_MS = 10_000;

export type BundleOptions = BuildOptions & { write: false; metafile: true };

/** Loads the bundler; a CLI calls this early and waits for nothing. */
export async function loadBundler(): Promise<typeof import("esbuild")> {
  return import("esbuild");
}

/** What a build made, or the errors it found. */
export type Built = { made: BuildResult<BundleOptions> } | { errors: Message[] };

/** Builds go one by one: a file that stops the bundler stops nobody else's build. */
let lastBuild: Promise<unknown> = Promise.resolve();

/**
 * Runs one build.
 * @returns what it made, the errors it found, or null when the files stop the bundler itself. Rejects when it does not work at all.
 */
export function build(options: BundleOptions): Promise<Built | null> {
  const mine = lastBuild.then(() => buildAlone(options));
  lastBuild = mine.catch(() => {});
  return mine;
}

async function buildAlone(options: BundleOptions): Promise<Built | null> {
  const esbuild = await loadBundler();
  for (let tries = 0; tries < 2; tries++) {
    const built = await buildOnce(esbuild, options);
    if (built !== "stopped") return built;
    await esbuild.stop();
  }
  await esbuild.transform(""); // rejects when it is not the file but the bundler that does not work
  return null;
}

/** @returns `stopped` when the bundler's process died of it or did not come to an end */
async function buildOnce(esbuild: typeof import("esbuild"), options: BundleOptions): Promise<Built | "stopped"> {
  let late: NodeJS.Timeout | undefined;
  const tooLong = new Promise<"stopped">((resolve) => {
    late = setTimeout(() => resolve("stopped"), BUILD_MS);
  });
  const building = esbuild.build(options).then(
    (made) => ({ made }),
    (error: { errors?: Message[] }) => {
      const errors = error.errors ?? [];
      // Only a build that came to its end has errors with places or details of ours.
      return errors.some(({ location, detail }) => location !== null || detail !== undefined)
        ? { errors }
        : ("stopped" as const);
    },
  );
  try {
    return await Promise.race([building, tooLong]);
  } finally {
    clearTimeout(late);
  }
}
