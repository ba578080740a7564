import { failingOnce, overloadedOnce, script } from "../testing/scripts.ts";
import rejectedRequestRetried from "./rejected-request-retried.ts";
import { honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const three = () => {
  let left = 3;
  return () => --left > 0;
};
const hopeless = { request: ({ tools }: { tools: unknown }) => ({ messages: [], tools }) };

lists(rejectedRequestRetried, {
  has: [
    {
      name: "three times the same",
      agent: loop({ ...hopeless, retry: three() }),
      ends: "threw",
      says: ["3 veces", "at least one message is required"],
    },
    {
      name: "a scripted 400 is sent again, though the model answers then",
      agent: loop({ retry: three() }),
      script: script(failingOnce(400)),
      ends: "returned",
      says: ["2 veces", "prompt is too long", "lo que lleva la propia petición"],
      found: ["rejected-request-retried"],
    },
    {
      name: "a key that may not",
      agent: loop({ retry: three() }),
      script: script(failingOnce(403)),
      says: ["Un 403 habla de la clave"],
    },
    {
      name: "too large, three times the same",
      agent: loop({ retry: three() }),
      script: script([{ fault: 413 }, { fault: 413 }, { fault: 413 }, ...failingOnce(413)]),
      ends: "threw",
      says: ["3 times", "A 413 is about its size"],
      found: ["rejected-request-retried"],
    },
  ],
  hasNot: [
    ...honestly(script(overloadedOnce)),
    { name: "once", agent: loop(hopeless), headline: "threw" },
    { name: "a scripted 400 is handed on", agent: honest, script: script(failingOnce(400)), headline: null },
    {
      name: "too large, and sent again smaller",
      agent: loop({
        request: (() => {
          let tries = 0;
          return ({ messages, tools }: { messages: unknown[]; tools: unknown }) => ({
            messages,
            tools,
            ...(++tries === 1 ? { system: "A very long story." } : {}),
          });
        })(),
        retry: three(),
      }),
      script: script(failingOnce(413)),
      headline: null,
    },
    {
      name: "the server is busy: by hand, not by the SDK",
      agent: loop({ retry: three() }),
      attempts: 1,
      script: script(overloadedOnce),
      headline: null,
    },
  ],
});
