/** Requests carry the line of the student's file that made them, however they are made. */
import { expect, test } from "vitest";
import { openLab, scenarioOf } from "./testing/lab.ts";

const lab = openLab();

const oneReply = () => scenarioOf({ replies: [{ text: "all is well {{nonce}}" }] });

/** Runs a body whose request is made on line 8. */
async function linesOf(code: string, scenario = oneReply()) {
  const text = `import Anthropic from "@anthropic-ai/sdk";
import { callModel, client } from "#harness";
const URL_ = "https://api.anthropic.com/v1/messages";
const asked: any = { model: "claude-sonnet-5-5", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };
const headers = { "content-type": "application/json", "x-api-key": "none", "anthropic-version": "2023-06-01" };
const post = { method: "POST", headers, body: JSON.stringify(asked) };
export async function runAgent(userInput: string, tools: any) {
  ${code}
}
void [Anthropic, callModel, client, URL_, asked, post];
`;
  const run = await lab.run(text, scenario);
  expect(run).toMatchObject({ outcome: "returned", counts: { rejected: 0 } });
  const requests = run.trace.filter((event) => event.type === "request");
  expect(requests.length).toBeGreaterThan(0);
  return requests.map(({ at }) => at?.line);
}

test.each([
  ["callModel", "return callModel(asked);"],
  ["messages.create", "return client.messages.create(asked);"],
  ["messages.create, its raw response", "await client.messages.create(asked).asResponse();"],
  [
    "messages.create, streamed",
    "for await (const event of await client.messages.create({ ...asked, stream: true })) void event;",
  ],
  ["messages.stream", "return client.messages.stream(asked).finalMessage();"],
  ["messages.parse", "return client.messages.parse(asked);"],
  ["beta.messages.create", "return client.beta.messages.create(asked);"],
  ["beta.messages.stream", "return client.beta.messages.stream(asked).finalMessage();"],
  ["client.post", 'return client.post("/v1/messages", { body: asked });'],
  ["a client of one's own", "return new Anthropic({ maxRetries: 0 }).messages.create(asked);"],
  [
    "options with headers of one's own",
    'return client.messages.create(asked, { headers: new Headers({ "x-own": "1" }) });',
  ],
  ["fetch", "return (await fetch(URL_, post)).json();"],
  [
    "fetch with a URL and headers",
    "return (await fetch(new URL(URL_), { ...post, headers: new Headers(post.headers) })).json();",
  ],
  [
    "fetch with a list of headers",
    "return (await fetch(URL_, { ...post, headers: Object.entries(post.headers) })).json();",
  ],
  ["fetch with a Request", "return (await fetch(new Request(URL_, post))).json();"],
  ["fetch with a Request and an init", "return (await fetch(new Request(URL_, post), { headers })).json();"],
  ["fetch after a wait", "await null; return (await fetch(URL_, post)).json();"],
])("by %s", async (_, code) => {
  expect(await linesOf(code)).toEqual([8]);
});

test("by toolRunner, in every turn and streamed too", async () => {
  const scenario = () =>
    scenarioOf({
      replies: [
        { calls: [{ tool: "look", input: {}, does: { returns: "seen {{nonce}}" } }] },
        { text: "all is well {{nonce}}" },
      ],
    });
  const runner = (stream: string) =>
    `return client.beta.messages.toolRunner({ ...asked, ${stream} tools: tools.map((tool: any) => ({ ...tool, run: async () => "seen" })) }).runUntilDone();`;
  expect(await linesOf(runner(""), scenario())).toEqual([8, 8]);
  expect(await linesOf(runner("stream: true,"), scenario())).toEqual([8, 8]);
});

test("by a fetch that wraps the global one, at the line of the wrapper", async () => {
  const wrapping = `const plain = globalThis.fetch; const mine: typeof fetch = async (input, init) => plain(input, init);
  return (await mine(URL_, post)).json();`;
  expect(await linesOf(wrapping)).toEqual([8]);
});

test("a fetch given to a client sees the request as the SDK makes it, and its line stays the caller's", async () => {
  const given = `const seen: string[] = []; const own = new Anthropic({ fetch: (url: any, init: any) => {
    seen.push(...new Headers(init.headers).keys(), ...Object.keys(init));
    return fetch(url, init);
  } });
  await own.messages.create(asked); if (seen.some((name) => /bucle/.test(name))) throw new Error(seen.join());`;
  expect(await linesOf(given)).toEqual([12]);
});

test("nothing else about a request is changed", async () => {
  const run = await lab.run(`export async function runAgent() {
  const url = "https://api.anthropic.com/v1/messages";
  const headers = new Headers({ "x-own": "1" });
  const init = { method: "POST", headers, body: "{}" };
  const request = new Request(url, { method: "POST", body: "{}" });
  await fetch(url, init);
  await fetch(request);
  const told = async (act: () => Promise<unknown>) => act().then(() => "went well", (error) => error.name);
  return {
    headers: [...headers.keys()],
    same: init.headers === headers,
    used: request.bodyUsed,
    badUrl: await told(() => fetch("nowhere")),
    badHeader: await told(() => fetch(url, { headers: { "not a name": "1" } })),
    noInit: await told(() => fetch(url, null as any)),
    aRequestAsInit: await told(() => fetch(url, new Request(url, { method: "POST", body: "{}" }))),
  };
}`);
  expect(run.trace.at(-1)).toMatchObject({
    value: {
      headers: ["x-own"],
      same: true,
      used: true,
      badUrl: "TypeError",
      badHeader: "TypeError",
      noInit: "went well",
      aRequestAsInit: "went well",
    },
  });
});
