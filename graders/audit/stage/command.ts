/**
 * An audited loop as a program in any language: started anew for each conversation, the prompt on its stdin, its answer on
 * its stdout, and the model on a port of this machine. Its time is real, and its tools run where nobody watches.
 */
import { converse } from "../../model/conversation.ts";
import { respond } from "../../model/http.ts";
import { withoutSecrets } from "../../sandbox/environment.ts";
import { PRINT_BYTES, VALUE_CHARS } from "../../sandbox/limits.ts";
import { collectPrinting } from "../../sandbox/printed.ts";
import { openPort } from "../../serve/server.ts";
import { countsOf } from "../../trace/counts.ts";
import type { Run } from "../../trace/run.ts";
import type { Scenario } from "../../trace/scenario.ts";
import type { Text } from "../../trace/text.ts";
import { errorFrom } from "./exit-error.ts";
import { type Ended, type Started, startProgram } from "./program.ts";
import type { How, Stage } from "./stage.ts";

/** Wall-clock limit of a conversation, ms: nothing but the clock ends a program that asks for nothing. */
export const COMMAND_WALL_MS = 30_000;

/** As much of the end of stderr as the error in it may need. */
const ERROR_CHARS = 64 * 1024;

/** Any key will do here. */
const API_KEY = "bucle-needs-no-key";

export interface CommandStageOptions {
  /** As one types it in a shell. */
  command: string;
  /** Wall-clock limit of a conversation, ms. */
  wallMs?: number | undefined;
  /** Less what looks like a secret, the program's environment; left out, the one of this process. */
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The stage of `audit --command`. Conversations asked for together are played apart: each has a process of its own, and
 * nothing of one can turn up in another. What else the program reaches, and where it sends what, is not seen from here.
 */
export function commandStage({ command, wallMs = COMMAND_WALL_MS, env = process.env }: CommandStageOptions): Stage {
  const running = new Set<Started>();
  let closed = false;
  return {
    clock: "real",
    entry: null,
    layers: ["process"],
    endpoint: "ANTHROPIC_BASE_URL/v1/messages",
    whenSilent: WHEN_SILENT,
    play: async (scenarios, { stopWhen }) => {
      const runs: Run[] = [];
      for (const scenario of scenarios) {
        if (closed) throw new Error("The stage is closed");
        runs.push(await holdConversation(scenario, stopWhen, { command, wallMs, env, running }));
      }
      return runs;
    },
    close: async () => {
      closed = true;
      for (const program of running) program.kill();
      await Promise.all([...running].map(({ ended }) => ended));
    },
  };
}

const WHEN_SILENT: Text = {
  es: "Revisa que la orden funcione escrita así en tu terminal, que el programa lea la pregunta de stdin y que su cliente envíe las peticiones a la URL de ANTHROPIC_BASE_URL.",
  en: "Make sure that the command works when typed like that in your terminal, that the program reads the prompt from stdin, and that its client sends its requests to the URL in ANTHROPIC_BASE_URL.",
};

type Held = Required<CommandStageOptions> & { wallMs: number; running: Set<Started> };
type Stopped = Pick<Run, "outcome" | "kind" | "measured">;

async function holdConversation(
  scenario: Scenario,
  stopWhen: How["stopWhen"],
  { command, wallMs, env, running }: Held,
): Promise<Run> {
  const begunAt = performance.now();
  const talk = converse(scenario, "results");
  const printing = collectPrinting();
  const output = { stdout: "", stderr: "", chars: 0 };
  let stopped: Stopped | null = null;
  let program: Started | null = null;
  /** Whatever it still asks is not answered, and it is ended. */
  const stop = (how: Stopped) => {
    stopped ??= how;
    program?.kill();
  };
  const port = await openPort((request) => {
    if (stopped !== null) return null;
    const answered = respond(talk, request);
    const kind = stopWhen(talk.trace, scenario);
    if (kind === null) return answered;
    stop({ outcome: "looped", kind, measured: {} });
    return null;
  });
  program = startProgram({
    command,
    env: { ...withoutSecrets(env), ...pointedAt(port.url, env) },
    input: `${scenario.userInput}\n`,
    print: (stream, text) => {
      output.chars += text.length;
      if (output.chars <= PRINT_BYTES) printing.add(text);
      // The answer begins at the beginning; what went wrong stands at the end.
      if (stream === "stderr") output.stderr = (output.stderr + text).slice(-ERROR_CHARS);
      else output.stdout = (output.stdout + text).slice(0, VALUE_CHARS);
    },
  });
  running.add(program);
  const deadline = setTimeout(
    () => stop({ outcome: "stalled", kind: "out-of-time", measured: { limitMs: wallMs } }),
    wallMs,
  );
  const ended = await program.ended;
  clearTimeout(deadline);
  running.delete(program);
  await port.close();

  const settled = stopped === null ? settle(ended, output) : null;
  if (settled) talk.add({ type: "settled", ...settled });
  return {
    scenario,
    beside: [],
    trace: talk.trace,
    ...(stopped ?? { outcome: settled?.how ?? "crashed", kind: settled ? null : "exited", measured: {} }),
    at: null,
    error: settled?.error ?? null,
    counts: countsOf(talk.trace),
    printed: printing.end(),
    source: { files: [] },
    ms: Math.round(performance.now() - begunAt),
  };
}

/** How it settled: by its exit code. Null where a signal ended it. */
function settle({ code }: Ended, { stdout, stderr }: { stdout: string; stderr: string }) {
  if (code === null) return null;
  if (code !== 0) return { how: "threw", value: null, error: errorFrom(code, stderr) } as const;
  // What it may have handed over otherwise, to a file or a database, cannot be seen: no output is no value.
  const value = stdout.trim() === "" ? null : stdout.replace(/\r?\n$/, "");
  return { how: "returned", value, error: null } as const;
}

/** Where the model is, and no way there through a proxy. */
function pointedAt(url: string, env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const direct = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
  return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: API_KEY, NO_PROXY: direct, no_proxy: direct };
}
