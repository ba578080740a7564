import type { Agent, Hands } from "../testing/play.ts";
import { oneTurn, script } from "../testing/scripts.ts";
import type { ApiMessage } from "../trace/api.ts";
import cutStreamAsAnswer from "./cut-stream-as-answer.ts";
import { honestly, lists } from "./testing/check.ts";

const answer = { text: "The api and the db are both well again, and nothing else has to be done. {{nonce}}" };
const cut = script([{ fault: "cut" }, answer]);
const told = script([{ fault: 529, midStream: true }, answer]);
const later = script([oneTurn[0], { fault: "cut" }, answer]);
const preamble = script([{ fault: "cut" }, ...oneTurn]);

const text = (message: ApiMessage | undefined) =>
  (message?.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");

/** An honest streaming loop but for what it does with a stream that broke off. */
const streaming =
  (broken: (begun: ApiMessage, again: () => Promise<ApiMessage>, said: string) => unknown): Agent =>
  async ({ callModel, executeTool, tools, userInput }: Hands) => {
    const messages: unknown[] = [{ role: "user", content: userInput }];
    let said = "";
    for (;;) {
      const ask = () => callModel({ messages, tools, stream: true });
      let response: ApiMessage;
      try {
        response = await ask();
      } catch (error) {
        const { begun } = error as { begun?: ApiMessage };
        if (begun === undefined) throw error;
        const given = await broken(begun, ask, said);
        if (typeof given !== "object" || given === null || !("usage" in given)) return given;
        response = given as ApiMessage;
      }
      said += text(response);
      if (response.stop_reason !== "tool_use") return response;
      messages.push({ role: "assistant", content: response.content });
      const results: unknown[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const content = await executeTool(block.name, block.input);
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      }
      messages.push({ role: "user", content: results });
    }
  };

lists(cutStreamAsAnswer, {
  has: [
    {
      name: "what had come of a stream that just ended",
      agent: streaming((begun) => text(begun)),
      script: cut,
      ends: "returned",
      says: ["se acabó sin más", "«The"],
      found: ["cut-stream-as-answer"],
    },
    {
      name: "what had come before an error event",
      agent: streaming((begun) => ({ role: "assistant", content: [{ type: "text", text: text(begun) }] })),
      script: told,
      says: ["un evento `error`"],
      found: ["cut-stream-as-answer"],
    },
    {
      name: "after a turn of tools",
      agent: streaming((begun) => text(begun)),
      script: later,
      found: ["cut-stream-as-answer"],
    },
    {
      name: "with all that had been said before it",
      agent: streaming((begun, _again, said) => said + text(begun)),
      script: later,
      says: ["termina en «The", "ends in"],
      found: ["cut-stream-as-answer"],
    },
    {
      name: "the beginning of a turn that was to ask for a tool",
      agent: streaming((begun) => text(begun)),
      script: preamble,
      found: ["cut-stream-as-answer"],
    },
  ],
  hasNot: [
    ...honestly(script(oneTurn)),
    ...honestly(cut),
    ...[cut, told, later, preamble].map((each) => ({
      name: "the stream is asked for again",
      agent: streaming((_begun, again) => again()),
      script: each,
      headline: null,
    })),
    {
      name: "a field beside the text says why",
      agent: streaming((begun) => ({ text: text(begun), complete: false })),
      script: cut,
    },
    {
      name: "the text itself says why",
      agent: streaming((begun) => `${text(begun)}… (el stream se interrumpió)`),
      script: cut,
    },
    {
      name: "it throws",
      agent: streaming(() => {
        throw Object.assign(new Error("the stream broke off"), { name: "AgentStopped" });
      }),
      script: cut,
    },
  ],
});
