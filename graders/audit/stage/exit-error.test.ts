import { expect, test } from "vitest";
import { errorFrom } from "./exit-error.ts";

const NODE = `file:///home/me/agent.mjs:3
  throw new TypeError("x is not a function");
        ^

TypeError: x is not a function
    at main (file:///home/me/agent.mjs:3:9)
    at async file:///home/me/agent.mjs:9:1

Node.js v20.20.2
`;

const SDK = `BadRequestError: 400 {"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: Field required"}}
    at APIError.generate (/home/me/node_modules/@anthropic-ai/sdk/core/error.js:41:20) {
  status: 400,
  error: { type: 'error' }
}
`;

const PYTHON = `retrying: SomeError: once
Traceback (most recent call last):
  File "agent.py", line 3, in <module>
    main()
  File "agent.py", line 2, in main
    raise KeyError("city")
KeyError: 'city'
`;

const CHAINED = `${PYTHON}
During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "agent.py", line 9, in <module>
    raise agent.errors.TooManyTurns("12 turns and no answer\\nmodel: x")
agent.errors.TooManyTurns: 12 turns and no answer
model: x
`;

test.each([
  ["Node", NODE, "TypeError", "x is not a function"],
  ["Node on Windows", NODE.replaceAll("\n", "\r\n"), "TypeError", "x is not a function"],
  ["the SDK", SDK, "BadRequestError", expect.stringContaining("max_tokens: Field required")],
  ["an error with a code", "Uncaught Error [ERR_X]: no\n", "Error", "no"],
  ["Python", PYTHON, "KeyError", "'city'"],
  ["Python, one after another", CHAINED, "TooManyTurns", "12 turns and no answer"],
  [
    "Python, without a message",
    "Traceback (most recent call last):\n  File x\nKeyboardInterrupt\n",
    "KeyboardInterrupt",
    "",
  ],
  ["the last of several", "RangeError: one\nTypeError: two\n", "TypeError", "two"],
])("the error that ended a program: %s", (_what, stderr, name, message) => {
  expect(errorFrom(1, stderr)).toEqual({ name, message, stack: [] });
});

test.each([
  ["what a shell says", 127, "sh: 1: pythn: not found\n", "sh: 1: pythn: not found"],
  ["words of its own", 2, "\nno answer: max_tokens\n\n", "no answer: max_tokens"],
  ["a warning about errors", 3, "warning: an Error: occurred\n", "warning: an Error: occurred"],
  ["nothing", 1, "", ""],
  ["only the last lines", 1, "abcdefgh".split("").join("\n"), "c\nd\ne\nf\ng\nh"],
])("without one: %s", (_what, code, stderr, message) => {
  expect(errorFrom(code, stderr)).toEqual({ name: `exit ${code}`, message, stack: [] });
});
