/**
 * One import of a submission in a child, and the conversations it holds: each has a model, tools and a trace of its own,
 * and becomes a run. A run of one is the same with one.
 */
import type { ToolsSeen } from "../model/conversation.ts";
import type { Spot, ThrownError, Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import { rewriteFrames, spotsOf } from "./compile/frames.ts";
import type { Program } from "./compile/program.ts";
import { blockedBy, type Ending, lastSpot } from "./ending.ts";
import { IDLE_CPU_MS, RSS_BYTES, SILENT_CPU_MS } from "./limits.ts";
import { USAGE_EVERY_MS, usage } from "./platform.ts";
import { collectPrinting, type Printing } from "./printed.ts";
import { type Order, roundsOf, type Up, type UpError } from "./protocol.ts";
import type { Listener, Seat } from "./seat.ts";
import type { Exit } from "./spawn.ts";
import { type Wire, wire } from "./wire.ts";

const OUT_OF_MEMORY = { outcome: "crashed", kind: "out-of-memory" } as const;

export interface Import {
  program: Program;
  /** Name of the exported function to call, once for each conversation. */
  entry: string;
  scenarios: readonly Scenario[];
  order: Order;
  /** The kind of `looped` once a conversation's trace proves it, else null. Called after each event. */
  stopWhen(trace: Trace, scenario: Scenario): string | null;
  /** How it is known that a tool has run: by its call, unless said otherwise. */
  toolsSeen?: ToolsSeen;
  /** Keep every printed line. */
  keepAllOutput?: boolean;
}

/** After SIGINT: time for `--trace-sigint` to print where the thread was. */
const TRACE_MS = 400;

interface Talk {
  scenario: Scenario;
  wire: Wire;
  printing: Printing;
  /** When it began; null while it waits for its turn. */
  begunAt: number | null;
  /** Settled, or ended otherwise. */
  ending: Ending | null;
  /** It has shown enough: whatever it still asks is not answered. */
  parked: boolean;
  beside: Scenario[];
}

/**
 * Imports the program once and holds its conversations, to their end.
 * @param run number of this import in the child
 * @returns a run for each conversation that began, in the scenarios' order. Never rejects for what the program does.
 */
export function holdConversations(seat: Seat, run: number, held: Import, wallMs: number): Promise<Run[]> {
  const { program, order } = held;
  const { child } = seat;
  const talks = held.scenarios.map(
    (scenario): Talk => ({
      scenario,
      wire: wire(scenario, held.toolsSeen),
      printing: collectPrinting(held.keepAllOutput),
      begunAt: null,
      ending: null,
      parked: false,
      beside: [],
    }),
  );
  const rounds = roundsOf(order, talks);
  for (const talk of rounds[0] ?? []) talk.begunAt = performance.now();
  const begun = () => talks.filter(({ begunAt }) => begunAt !== null);
  const open = () => begun().filter(({ ending }) => ending === null);
  let rawErrors = "";

  return new Promise((resolve) => {
    let over = false;
    let interrupted: Ending | null = null;
    let quickEnd: Ending | null = null;
    /** CPU time when the child last spoke at all, and when it last asked, printed or ended. */
    let lastWordCpuMs: number | null = null;
    let lastDeedCpuMs: number | null = null;
    let spoke = true;
    let acted = true;

    const spot = (at: string | null): Spot | null => {
      for (const place of at === null ? [] : at.split(" ")) {
        const [line, column] = place.split(":").map(Number);
        const found = line && column ? program.locate(line, column) : null;
        if (found !== null) return found;
      }
      return null;
    };
    const thrown = (error: UpError): ThrownError => ({
      name: error.name,
      message: program.restoreNames(rewriteFrames(error.message, program)),
      stack: spotsOf(error.stack, program),
    });

    /** One conversation ends. All that had begun by then may have left something in it. */
    const close = (talk: Talk, ending: Ending) => {
      talk.ending = ending;
      talk.beside = begun().flatMap((other) => (other === talk ? [] : [other.scenario]));
    };
    const conclude = () => {
      if (over) return;
      over = true;
      clearInterval(watch);
      clearTimeout(deadline);
      seat.listen(afterwards);
      const now = performance.now();
      resolve(begun().map((talk) => runOf(talk, program, now)));
    };
    /** What ends all that goes on. When every conversation has settled already, it is the ending of the one that did it. */
    const endAll = (ending: Ending | ((talk: Talk) => Ending), doer: Talk | undefined = begun().at(-1)) => {
      if (over) return;
      const left = open();
      for (const talk of left.length > 0 || doer === undefined ? left : [doer]) {
        close(talk, typeof ending === "function" ? ending(talk) : ending);
      }
      conclude();
    };
    /** Whatever the child still does is of no account. */
    const endAllAndKill = (ending: Ending | ((talk: Talk) => Ending), doer?: Talk) => {
      endAll(ending, doer);
      child.kill();
    };
    const breakOff = () => endAllAndKill({ outcome: "crashed", kind: "exited", measured: { brokenChannel: 1 } });
    const answer = (up: Extract<Up, { t: "http" | "tool" }>, talk: Talk) => {
      if (talk.parked) return child.send({ t: "never", id: up.id });
      const answered = up.t === "http" ? talk.wire.http(up, spot(up.at)) : talk.wire.tool(up, spot(up.at));
      const kind = held.stopWhen(talk.wire.trace, talk.scenario);
      if (kind === null) return child.send(answered);
      talk.parked = true;
      close(talk, { outcome: "looped", kind });
      if (open().length === 0) {
        child.send({ t: "park", conversation: null });
        return conclude();
      }
      child.send({ t: "park", conversation: up.conversation });
      child.send({ t: "never", id: up.id });
    };

    const settle = (up: Extract<Up, { t: "settled" }>, talk: Talk) => {
      if (talk.parked) return;
      const error = up.error ? thrown(up.error) : null;
      talk.wire.add({ type: "settled", how: up.how, value: up.value, error });
      const refusal = blockedBy(up.error, talk.wire.trace);
      close(talk, { outcome: up.how, kind: null, at: error?.stack[0] ?? null, error, ...refusal });
    };

    /** What comes from one of the conversations. */
    const told = (up: Extract<Up, { conversation: number }>) => {
      const talk = talks[up.conversation];
      if (up.t === "began") {
        const round = rounds.find((each) => each.some((one) => one === talk)) ?? [];
        const isItsTurn = open().every((other) => round.includes(other));
        if (talk === undefined || talk !== talks[begun().length] || !isItsTurn) return breakOff();
        talk.begunAt = performance.now();
        return;
      }
      if (talk === undefined || talk.begunAt === null) return breakOff();
      switch (up.t) {
        case "http":
        case "tool":
          return answer(up, talk);
        case "print":
          return talk.printing.add(rewriteFrames(up.text, program), up.droppedLines);
        case "blocked":
          return talk.wire.add({ type: "blocked", what: up.what, detail: up.detail, at: spot(up.at) });
        case "aborted":
          return talk.wire.add({ type: "abort" });
        case "settled":
          return settle(up, talk);
        case "uncaught": {
          const error = thrown(up.error);
          const refusal = blockedBy(up.error, talk.wire.trace);
          const at = error.stack[0] ?? null;
          return endAllAndKill({ outcome: "crashed", kind: "uncaught", at, error, ...refusal }, talk);
        }
        case "exit":
          quickEnd = { outcome: "crashed", kind: "exited", at: spot(up.at) };
      }
    };

    const message = (up: Up | null) => {
      spoke = true;
      if (up?.t !== "alive") acted = true;
      if (up === null) return breakOff();
      if (!("run" in up) || up.run !== run) return;
      if ("conversation" in up) return told(up);
      switch (up.t) {
        case "quiet":
          return open().length === 0 ? conclude() : undefined;
        case "busy":
          quickEnd = {
            ...(up.full ? OUT_OF_MEMORY : { outcome: "looped", kind: "busy-loop" }),
            at: program.sites[up.site]?.spot ?? null,
            measured: { cpuMs: up.cpuMs, passes: up.hits },
          };
          return endAllAndKill(quickEnd);
        case "idle": {
          const measured = { timers: up.fired };
          return endAllAndKill(({ wire: { trace } }) => {
            return { outcome: "looped", kind: "idle-loop", at: lastSpot(trace), measured };
          });
        }
        case "stalled":
          child.send({ t: "park", conversation: null });
          return endAll(({ wire: { trace } }) => ({ outcome: "stalled", kind: "never-settles", at: lastSpot(trace) }));
      }
    };

    const exit = (how: Exit) => {
      if (interrupted) return endAll({ ...interrupted, at: spotsOf(rawErrors, program)[0] ?? null });
      if (quickEnd) return endAll(quickEnd);
      // V8 says so on stderr before it aborts.
      if (/heap out of memory|allocation failed/i.test(rawErrors)) return endAll(OUT_OF_MEMORY);
      endAll({ outcome: "crashed", kind: "exited", measured: how.code === null ? {} : { code: how.code } });
    };

    const raw = (stream: "stdout" | "stderr", text: string) => {
      if (rawErrors.length < 64_000) rawErrors += text;
      // Written past console, straight to the descriptor: shown all the same, but for V8's own last words.
      const writer = open()[0] ?? begun().at(-1);
      if (stream === "stdout") writer?.printing.add(rewriteFrames(text, program));
    };

    const interrupt = (ending: Ending) => {
      if (interrupted || over) return;
      interrupted = ending;
      child.interrupt();
      setTimeout(() => {
        child.kill();
        endAll({ ...ending, at: spotsOf(rawErrors, program)[0] ?? null });
      }, TRACE_MS);
    };

    const look = async () => {
      const now = await usage(child.pid);
      if (now === null || over) return;
      if (now.rssBytes > RSS_BYTES) return endAllAndKill(OUT_OF_MEMORY);
      if (spoke || lastWordCpuMs === null) lastWordCpuMs = now.cpuMs;
      if (acted || lastDeedCpuMs === null) lastDeedCpuMs = now.cpuMs;
      spoke = false;
      acted = false;
      const idle = now.cpuMs - lastDeedCpuMs;
      if (now.cpuMs - lastWordCpuMs > SILENT_CPU_MS || idle > IDLE_CPU_MS) {
        interrupt({ outcome: "looped", kind: "busy-loop", measured: { cpuMs: idle } });
      }
    };
    const watch = setInterval(look, USAGE_EVERY_MS);
    const deadline = setTimeout(
      () => interrupt({ outcome: "stalled", kind: "out-of-time", measured: { limitMs: wallMs } }),
      wallMs,
    );

    /** A run that is over may only get quiet: anything else costs it its child. */
    const afterwards: Listener = {
      message: (up) => {
        if (up?.t === "quiet" || up?.t === "print") return;
        child.kill();
      },
      raw: () => {},
      exit: () => {},
    };

    seat.listen({ message, raw, exit });
    seat.begin();
    child.send({
      t: "run",
      run,
      code: program.code,
      export: held.entry,
      toolkit: [...new Set(held.scenarios.flatMap(({ tools }) => tools.map(({ name }) => name)))],
      order,
      conversations: held.scenarios.map(({ userInput, tools, options }) => ({
        userInput,
        tools: [...tools],
        options: { ...options },
      })),
    });
  });
}

function runOf({ scenario, wire, printing, begunAt, ending, beside }: Talk, program: Program, now: number): Run {
  if (ending === null) throw new Error("A conversation was put together before it had ended");
  return {
    scenario,
    beside,
    trace: wire.trace,
    outcome: ending.outcome,
    kind: ending.kind,
    at: ending.at ?? null,
    error: ending.error ?? null,
    measured: ending.measured ?? {},
    counts: wire.counts(),
    printed: printing.end(),
    source: program.source,
    ms: Math.round(now - (begunAt ?? now)),
  };
}
