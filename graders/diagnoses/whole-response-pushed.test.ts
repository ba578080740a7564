import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import wholeResponsePushed from "./whole-response-pushed.ts";

lists(wholeResponsePushed, {
  has: [
    {
      name: "the response is the message",
      agent: loop({ assistant: (response) => [response] }),
      says: ["`stop_reason`", "Extra inputs are not permitted"],
    },
    {
      name: "the response is the content",
      agent: loop({ assistant: (response) => [{ role: "assistant", content: response }] }),
      says: ["`content` de un mensaje"],
    },
    {
      name: "the response is pushed and the 400 swallowed",
      agent: loop({ assistant: (response) => [response], retry: () => true }),
      ends: "retry-storm",
    },
    {
      name: "the list of blocks in a list",
      agent: loop({ assistant: ({ content }) => [{ role: "assistant", content: [content] }] }),
      says: ["cuyo elemento es otra lista", "whose element is another list"],
      found: ["whole-response-pushed"],
    },
  ],
  hasNot: [
    ...honestly(),
    {
      name: "role and content alone",
      agent: loop({ assistant: ({ role, content }) => [{ role, content }] }),
      headline: null,
    },
  ],
});
