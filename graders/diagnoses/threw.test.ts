import { endless, failingOnce, failingTool, script, twoTurns } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import threw from "./threw.ts";

const stopped = Object.assign(new Error("enough"), { name: "AgentStopped" });
const giveUp = (error: Error) =>
  loop({
    on: (_, turn) => {
      if (turn === 1) throw error;
      return true;
    },
  });

/** At its first reply. */
const atOnce = (error: Error) =>
  loop({
    on: () => {
      throw error;
    },
  });

lists(threw, {
  has: [
    {
      name: "an error of its own",
      agent: () => Promise.reject(new Error("not yet written")),
      ends: "threw",
      says: ["`Error`: «not yet written»"],
    },
    {
      name: "no error at all",
      agent: () => Promise.reject(null),
      ends: "threw",
      says: ["«null», que no es un `Error`"],
      never: ["``", "Lee el mensaje"],
    },
    { name: "a text", agent: () => Promise.reject("boom"), says: ['"boom", which is no `Error`'], never: ["``"] },
    { name: "an empty text", agent: () => Promise.reject(""), says: ["un texto vacío"], never: ["``", "«»"] },
    { name: "a symbol", agent: () => Promise.reject(Symbol("x")), says: ["«Symbol(x)»"], never: ["``"] },
    {
      name: "an error without a message",
      agent: () => Promise.reject(new Error()),
      says: ["`Error`, sin mensaje"],
      never: ["«»"],
    },
    {
      name: "a name that is not there",
      agent: () => Promise.reject(new ReferenceError("mesages is not defined")),
      says: ["se usa un nombre que ahí no existe", "a name that does not exist there"],
      never: ["valores que usa"],
    },
    { name: "an accident", agent: () => (undefined as unknown as { x: number }).x, says: ["`TypeError`"] },
    {
      name: "a rejected request that nothing else explains",
      agent: loop({ request: ({ tools }) => ({ messages: [], tools }) }),
      says: ["at least one message is required"],
    },
    {
      name: "an accident where giving up is right",
      agent: giveUp(new TypeError("x is not a function")),
      script: endless,
    },
    {
      name: "an accident over a request that was turned down",
      agent: loop({
        request: (request) => ({ ...request, stream: false }),
        retry: (error) => (error as never as { x: { y: boolean } }).x.y,
      }),
      script: script(failingOnce(403)),
      says: ["`TypeError`"],
    },
    {
      name: "an error of its own, with tokens left",
      agent: atOnce(new Error("budget")),
      script: script(twoTurns, { options: { budget: 100_000 } }),
    },
    {
      name: "an accident after the run was aborted",
      agent: atOnce(new TypeError("x is not a function")),
      abortAfter: 2,
    },
    {
      name: "a tool's error, explained by another diagnosis",
      agent: loop({}),
      script: script(failingTool),
      headline: "tool-error-crashes",
    },
  ],
  hasNot: [
    ...["max_tokens", "refusal", "model_context_window_exceeded", { unknown: "novel" }].map((stopReason) => ({
      name: `an error of its own at a reply with ${JSON.stringify(stopReason)}`,
      agent: loop({
        answer: ({ stop_reason }) => {
          throw new Error(`the model stopped: ${stop_reason}`);
        },
      }),
      script: script([{ text: "So far {{nonce}}", stopReason }]),
      headline: null,
    })),
    ...honestly(),
    {
      name: "what the API said of a 401 is handed on",
      agent: loop({}),
      script: script(failingOnce(401)),
      headline: null,
    },
    {
      name: "the server stays down for as long as the SDK tries",
      agent: loop({}),
      script: script([...Array.from({ length: 4 }, () => ({ fault: 529 })), { text: "Well. {{nonce}}" }]),
      ends: "threw",
      headline: null,
    },
    { name: "the run was aborted", agent: atOnce(new Error("aborted")), abortAfter: 2, headline: null },
    {
      name: "the tokens it was given are spent",
      agent: atOnce(new Error("budget")),
      script: script(twoTurns, { options: { budget: 100 } }),
      headline: null,
    },
    { name: "giving up by AgentStopped", agent: giveUp(stopped), headline: null },
    {
      name: "giving up by any error in a conversation without end",
      agent: giveUp(new Error("cap")),
      script: endless,
      headline: null,
    },
  ],
});
