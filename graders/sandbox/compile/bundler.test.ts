import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BundleOptions, build } from "./bundler.ts";

/** A bundler that can die. */
const bundler = vi.hoisted(() => ({ build: vi.fn(), stop: vi.fn(), transform: vi.fn() }));
vi.mock("esbuild", () => bundler);

const options: BundleOptions = { write: false, metafile: true };
const dead = () => Promise.reject({ errors: [{ text: "The service is no longer running", location: null }] });

beforeEach(() => {
  vi.resetAllMocks();
  bundler.stop.mockResolvedValue(undefined);
  bundler.transform.mockResolvedValue({ code: "" });
});
afterEach(() => {
  vi.useRealTimers();
});

test("starts a dead bundler anew and tries once more", async () => {
  bundler.build.mockImplementationOnce(dead).mockResolvedValueOnce({ outputFiles: [] });
  expect(await build(options)).toEqual({ made: { outputFiles: [] } });
  expect(bundler.stop).toHaveBeenCalledTimes(1);
});

test("gives up on files that kill it twice, and goes on with the next", async () => {
  bundler.build.mockImplementationOnce(dead).mockImplementationOnce(dead).mockResolvedValueOnce({ outputFiles: [] });
  const both = [build(options), build(options)];
  expect(await Promise.all(both)).toEqual([null, { made: { outputFiles: [] } }]);
  expect(bundler.stop).toHaveBeenCalledTimes(2);
});

test("does not blame the files when it does not work at all", async () => {
  bundler.build.mockImplementation(dead);
  bundler.transform.mockRejectedValue(new Error("no such program"));
  await expect(build(options)).rejects.toThrow("no such program");
});

test("hands on the errors of a build that came to its end", async () => {
  const errors = [{ text: "x", location: { line: 1 } }];
  bundler.build.mockRejectedValueOnce({ errors });
  expect(await build(options)).toEqual({ errors });
  expect(bundler.stop).not.toHaveBeenCalled();
});

test("ends a build that does not come to an end", async () => {
  vi.useFakeTimers();
  bundler.build.mockImplementation(() => new Promise(() => {}));
  const built = build(options);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await built).toBeNull();
  expect(bundler.stop).toHaveBeenCalledTimes(2);
});

test("runs one build at a time", async () => {
  let running = 0;
  let most = 0;
  bundler.build.mockImplementation(async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return {};
  });
  await Promise.all([build(options), build(options), build(options)]);
  expect(most).toBe(1);
});
