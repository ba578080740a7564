import { failingTool, overloadedOnce, refusing, script } from "../testing/scripts.ts";
import retryStorm from "./retry-storm.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(retryStorm, {
  has: [
    {
      name: "a rejected request in a loop that swallows errors",
      agent: loop({ request: (request) => ({ ...request, messages: [] }), retry: () => true }),
      ends: "retry-storm",
      says: ["10 peticiones seguidas", "at least one message is required"],
    },
    {
      name: "the error's text is pushed and sent again, rejected each time",
      agent: async ({ callModel, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          try {
            return await callModel({ messages, temperature: "hot", top_q: 1 });
          } catch (error) {
            messages.push({ role: "user", content: (error as Error).message });
          }
        }
      },
      ends: "retry-storm",
      says: ["60 requests in a row were rejected. A 400"],
    },
    {
      name: "a key that is refused every time",
      agent: loop({ retry: () => true }),
      script: script([{ fault: 401 }], { endless: { from: 0 } }),
      ends: "retry-storm",
      says: ["10 peticiones seguidas", "A 401 is not bad luck", "Invalid bearer token"],
    },
    {
      name: "a server that stays down",
      agent: loop({ retry: () => true }),
      script: script([...Array.from({ length: 70 }, () => ({ fault: 529 })), { text: "Hello {{nonce}}" }]),
      ends: "retry-storm",
      says: ["60 peticiones", "Overloaded"],
    },
    {
      name: "a model that refuses is asked again",
      agent: loop({ on: ({ stop_reason }) => stop_reason === "refusal", assistant: () => [], user: () => [] }),
      script: script(refusing),
      ends: "retry-storm",
      says: ["10 respuestas seguidas", '"refusal"'],
      headline: "refusal-retried",
    },
    {
      name: "a tool that always fails",
      agent: loop({
        result: async (call, execute) => {
          for (;;) await execute(call.name, call.input).catch(() => {});
        },
      }),
      script: script(failingTool),
      ends: "retry-storm",
      says: ["`read_logs` falló 100 veces", "disk full"],
    },
  ],
  hasNot: [
    ...honestly(script(overloadedOnce)),
    {
      name: "a rejected request is tried five times",
      agent: (() => {
        let left = 5;
        return loop({ request: (request) => ({ ...request, messages: [] }), retry: () => --left > 0 });
      })(),
      ends: "threw",
      headline: "rejected-request-retried",
    },
  ],
});
