/** No process of the sandbox outlives `bucle`, however either of them ends. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { BARE, bucle, documentOf, KIT } from "./testing/bucle.ts";
import { type Student, student } from "./testing/folders.ts";
import { AWAITS_FOR_EVER, CATCHES_EVERYTHING, onTurn } from "./testing/loops.ts";
import { NO_PROC, processesBelow } from "./testing/processes.ts";

/** More than starting takes, less than the loop guard allows: by then the student's loop is what runs. */
const WELL_IN_CPU_MS = 700;
const PATIENT = { timeout: 30_000, interval: 20 };

/** A student whose runs work below a TMPDIR of their own. */
function withOwnTmp(agent: string): { one: Student; tmp: string; env: Record<string, string> } {
  const one = student();
  one.write("2.2", "agent.ts", agent);
  const tmp = join(one.cwd, "tmp");
  mkdirSync(tmp);
  return { one, tmp, env: { TMPDIR: tmp } };
}

describe.skipIf(NO_PROC)("processes, read from /proc (where there is none, these are skipped)", () => {
  test.concurrent.each([
    ["a loop that catches everything", CATCHES_EVERYTHING, "restarted-conversation"],
    ["a loop that spins", onTurn(2, "while (true) {}"), "busy-loop"],
    ["one that exits", onTurn(2, "process.exit();"), "exited"],
    ["one that never settles", onTurn(2, "await new Promise(() => {});"), "never-settles"],
    ["one with an interval left running", onTurn(1, "setInterval(() => {}, 10);"), null],
  ])("%s is told as what it is, and leaves no process and no folder behind", async (_what, agent, kind) => {
    const { one, tmp, env } = withOwnTmp(agent);
    const said = await bucle(["check", "2.2", "--json"], { cwd: one.cwd, env });
    expect(said).toMatchObject({ code: 1, stderr: "" });
    expect(documentOf(said).exercises[0]?.runs.at(-1)?.kind).toBe(kind);
    expect(processesBelow(tmp)).toEqual([]);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test.concurrent.each([
    ["SIGTERM", "ended by us, at once"],
    ["SIGINT", "ended by us, at once"],
    ["SIGKILL", "the loop guard ends it: nobody else can"],
  ] as const)("%s to bucle in the middle of a loop leaves no process: %s", async (signal, _how) => {
    const { one, tmp, env } = withOwnTmp(AWAITS_FOR_EVER);
    const args = [join(KIT, "graders/cli/bucle.cjs"), "check", "2.2"];
    const bucle = spawn(process.execPath, args, { cwd: one.cwd, env: { ...BARE, ...env }, stdio: "ignore" });
    const ended = new Promise((done) => bucle.on("exit", (code, by) => done(by ?? code)));
    await vi.waitFor(() => {
      expect(Math.max(0, ...processesBelow(tmp).map(({ cpuMs }) => cpuMs))).toBeGreaterThan(WELL_IN_CPU_MS);
    }, PATIENT);
    bucle.kill(signal);
    expect(await ended).toBe({ SIGTERM: 143, SIGINT: 130, SIGKILL: "SIGKILL" }[signal]);
    await vi.waitFor(() => expect(processesBelow(tmp)).toEqual([]), PATIENT);
  });
});
