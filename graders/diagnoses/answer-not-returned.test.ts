import { emptyEnd, script, thinksLast, twoTurns } from "../testing/scripts.ts";
import { type ApiMessage, isText, type ReplyBlock } from "../trace/api.ts";
import answerNotReturned from "./answer-not-returned.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const inPieces = [...twoTurns.slice(0, -1), { text: "All is well. {{nonce}}", more: ["Sleep now. {{nonce}}"] }];
const textsOf = (content: readonly ReplyBlock[]) => content.filter(isText).map(({ text }) => text);

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
    ...[
      { name: "the first block of text alone", of: (texts: string[]) => texts[0] },
      { name: "the last block of text alone, in a list", of: (texts: string[]) => texts.slice(-1) },
    ].map(({ name, of }) => ({
      name,
      agent: loop({ answer: ({ content }) => of(textsOf(content)) }),
      script: script(inPieces),
      says: ["traía 2 bloques de texto", "falta 1 bloque:", "lacks 1 block"],
      never: ["no la devolvió", "did not return it", "faltan 1"],
    })),
    ...[
      { name: "the blocks of text back to front", of: (texts: string[]) => texts.toReversed().join("\n") },
      { name: "the blocks of text back to front, in a list", of: (texts: string[]) => texts.toReversed() },
      {
        name: "the blocks themselves, back to front",
        of: (texts: string[]) => texts.toReversed().map((text) => ({ type: "text", text })),
      },
    ].map(({ name, of }) => ({
      name,
      agent: loop({ answer: ({ content }) => of(textsOf(content)) }),
      script: script(inPieces),
      says: [
        "no en el orden en que el modelo los escribió",
        "traía 2 bloques",
        "not in the order the model wrote them",
      ],
      never: ["faltan", "did not return"],
    })),
    ...[
      { name: "the first letters alone", of: (text: string) => text.slice(0, 8) },
      { name: "the first letters, with dots after them", of: (text: string) => `${text.slice(0, 8)}…` },
      {
        name: "the first words, in a field",
        of: (text: string) => ({ answer: text.split(" ").slice(0, 2).join(" ") }),
      },
    ].map(({ name, of }) => ({
      name,
      agent: loop({ answer: ({ content }) => of(textsOf(content)[0] ?? "") }),
      script: script(thinksLast),
      says: ["devolvió los primeros", "returned the first", "All is"],
      never: ["en el bloque", "in block", "no la devolvió"],
    })),
    {
      name: "the Message, where the text alone is asked for",
      agent: loop({}),
      demands: ["text-alone"],
      says: ["dentro de un Message o de sus bloques", "inside a Message"],
      never: ["no la devolvió", "thinking"],
      found: ["answer-not-returned"],
    },
    {
      name: "the blocks, where the text alone is asked for",
      agent: loop({ answer: ({ content }) => ({ content }) }),
      script: script(thinksLast),
      demands: ["text-alone"],
      says: ["dentro de un Message o de sus bloques"],
    },
    ...[
      {
        name: "what every block says",
        of: (content: readonly ReplyBlock[]) =>
          content.map((block) => ("thinking" in block ? block.thinking : "text" in block ? block.text : "")).join("\n"),
      },
      { name: "the JSON of the blocks", of: (content: readonly ReplyBlock[]) => JSON.stringify(content) },
    ].map(({ name, of }) => ({
      name: `${name}, where the text alone is asked for`,
      agent: loop({ answer: ({ content }) => of(content) }),
      script: script(thinksLast),
      demands: ["text-alone"] as const,
      says: ["las palabras de su `thinking`", "the words of its `thinking`"],
      never: ["no la devolvió", "did not return"],
    })),
    {
      name: "the blocks of text back to front beside other fields, where the text alone is asked for",
      agent: loop({ answer: ({ content, usage }) => ({ answer: textsOf(content).toReversed().join("\n"), usage }) }),
      script: script(inPieces),
      demands: ["text-alone"],
      says: ["no en el orden"],
    },
    { name: "a word of its own", agent: loop({ answer: () => "done" }), says: ['`"done"`'] },
  ],
  hasNot: [
    {
      name: "the text in pieces",
      agent: loop({
        answer: ({ content }) => content.flatMap((block) => (block.type === "text" ? [...block.text] : [])),
      }),
      script: script(twoTurns),
      headline: null,
    },
    ...honestly(script(twoTurns)),
    ...honestly(script(thinksLast)),
    ...honestly(script(inPieces)),
    ...[
      (response: ApiMessage) => textsOf(response.content).join("\n"),
      (response: ApiMessage) => ({ answer: textsOf(response.content).join("\n"), usage: response.usage }),
      (response: ApiMessage) => textsOf(response.content),
    ].map((answer, nth) => ({
      name: `the text alone, where that is asked for (${nth + 1})`,
      agent: loop({ answer }),
      script: script(thinksLast),
      demands: ["text-alone"] as const,
      headline: null,
    })),
    {
      name: "all blocks of text, as a list",
      agent: loop({ answer: ({ content }) => textsOf(content) }),
      script: script(inPieces),
      headline: null,
    },
    {
      name: "a title before the whole text, made of its last block",
      agent: loop({ answer: ({ content }) => `${textsOf(content).at(-1)}\n\n${textsOf(content).join("\n")}` }),
      script: script(inPieces),
      headline: null,
    },
    {
      name: "the blocks back to front in a field, beside the whole Message",
      agent: loop({ answer: (response) => ({ response, newestFirst: textsOf(response.content).toReversed() }) }),
      script: script(inPieces),
      headline: null,
    },
    { name: "an end without a text", agent: loop({ answer: () => "" }), script: script(emptyEnd), headline: null },
    {
      name: "the whole history",
      agent: loop({ answer: (response, messages) => [...messages, response] }),
      headline: null,
    },
  ],
});
