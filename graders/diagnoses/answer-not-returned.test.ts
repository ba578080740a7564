import { emptyEnd, script, thinksLast, twoTurns } from "../testing/scripts.ts";
import answerNotReturned from "./answer-not-returned.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(answerNotReturned, {
  has: [
    {
      name: "nothing is returned",
      agent: loop({ answer: () => undefined }),
      ends: "returned",
      says: ["«All is well.", "no devolvió nada"],
      never: ["thinking"],
    },
    {
      name: "nothing is returned, and the last reply thinks first",
      agent: loop({ answer: () => undefined }),
      script: script(thinksLast),
      says: ["no devolvió nada (`undefined` o `null`)", "El texto está en el bloque 2", "the first is `thinking`"],
      never: ["lo que encontró", "what it found"],
    },
    {
      name: "an empty text is returned, and the last reply thinks first",
      agent: loop({ answer: () => "" }),
      script: script(thinksLast),
      says: ["devolvió un texto vacío", "returned an empty text", "in block 2"],
      never: ["lo que encontró", "returned nothing"],
    },
    {
      name: "the text of the first block, which is thinking",
      agent: loop({ answer: ({ content }) => (content[0] as { text?: string }).text }),
      script: script(thinksLast),
      says: ["`thinking`"],
    },
    {
      name: "the thinking itself",
      agent: loop({ answer: ({ content }) => content[0] }),
      script: script(thinksLast),
      says: ["son palabras de su `thinking`", "in block 2"],
    },
    {
      name: "the first reply",
      agent: loop({ answer: (_, messages) => messages[1] }),
      says: ["una respuesta anterior"],
    },
    { name: "a word of its own", agent: loop({ answer: () => "done" }), says: ['`"done"`'] },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(thinksLast)),
    { name: "an end without a text", agent: loop({ answer: () => "" }), script: script(emptyEnd), headline: null },
    {
      name: "the whole history",
      agent: loop({ answer: (response, messages) => [...messages, response] }),
      headline: null,
    },
  ],
});
