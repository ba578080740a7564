import type { Agent } from "../../testing/play.ts";
import type { ApiMessage } from "../../trace/api.ts";
import { full, gather, streaming, textOf } from "../testing/honest.ts";
import { blank } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./mid-stream-error.ts";

/** One request by streaming, and what becomes of its breaking off. */
const once =
  (broken: (error: Error & { begun?: ApiMessage }) => unknown): Agent =>
  async ({ stream, tools, userInput }) => {
    try {
      return textOf(await gather(stream({ messages: [{ role: "user", content: userInput }], tools })));
    } catch (error) {
      return broken(error as Error);
    }
  };

/** It prints each piece as it comes, and takes the end of the stream for the end of the reply. */
const collecting: Agent = async ({ stream, tools, userInput }) => {
  let said = "";
  for await (const { delta } of stream({ messages: [{ role: "user", content: userInput }], tools })) {
    said += (delta as { text?: string } | undefined)?.text ?? "";
  }
  return said;
};

/** It gathers by hand, and begins again until a stream says that it is over. */
const anew: Agent = async ({ stream, tools, userInput }) => {
  for (;;) {
    let said = "";
    try {
      for await (const { type, delta } of stream({ messages: [{ role: "user", content: userInput }], tools })) {
        said += (delta as { text?: string } | undefined)?.text ?? "";
        if (type === "message_stop") return said;
      }
    } catch {
      // once more
    }
  }
};

/** It asks anew where a stream ends in an error, and takes one that simply ends for whole. */
const halfCareful: Agent = async (hands) => {
  try {
    return await collecting(hands);
  } catch {
    return collecting(hands);
  }
};

/** It asks anew, and keeps what it had. */
const beginningOfTwo: Agent = async ({ stream, tools, userInput }) => {
  let said = "";
  for (let tries = 0; tries < 2; tries++) {
    try {
      const reply = await gather(stream({ messages: [{ role: "user", content: userInput }], tools }));
      said ||= textOf(reply);
      break;
    } catch (error) {
      said ||= textOf((error as Error & { begun: ApiMessage }).begun);
    }
  }
  return said;
};

rows(behaviour, {
  holds: [
    { name: "it asks anew", agent: streaming, says: ["volvió a pedir"] },
    { name: "it asks anew, whatever had come", agent: anew, says: ["hasta tenerla entera"] },
    { name: "it asks anew, no tools", agent: streaming, tools: "none" },
    {
      name: "it throws",
      agent: once((error) => {
        throw error;
      }),
    },
    { name: "it says that this is not all", agent: once(({ begun }) => ({ text: textOf(begun!), incomplete: true })) },
    { name: "a reason that is no end", agent: once(({ begun }) => ({ text: textOf(begun!), finishReason: "other" })) },
    { name: "words of its own", agent: once(() => "Ask me again later.") },
  ],
  fails: [
    {
      name: "the beginning",
      agent: once(({ begun }) => textOf(begun!)),
      severity: "harms",
      diagnosis: "cut-stream-as-answer",
    },
    {
      name: "the beginning, in an object",
      agent: once(({ begun }) => ({ text: textOf(begun!), model: "m" })),
      severity: "harms",
      says: ["no llegó a decir que la respuesta estaba completa"],
    },
    {
      name: "it gets the whole on asking anew, and returns the beginning",
      agent: beginningOfTwo,
      says: ["es el comienzo que se había cortado"],
      severity: "harms",
      diagnosis: null,
    },
    { name: "the end of the stream is the end", agent: collecting, run: 1, severity: "harms" },
    {
      name: "it asks anew after an error alone",
      agent: halfCareful,
      run: 1,
      says: ["The stream ended before its `message_stop`"],
    },
    { name: "nothing in it", agent: once(() => ""), severity: "advice" },
  ],
  others: [
    { name: "it does not stream", agent: full, status: "not-applicable" },
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
  ],
});
