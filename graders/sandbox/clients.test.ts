/** Clients of the SDK, made in whatever way an honest student makes them, reach the model. */
import { expect, test } from "vitest";
import { honestLoop, openLab } from "./testing/lab.ts";

const lab = openLab();

const SDK = 'import Anthropic from "@anthropic-ai/sdk";';

/** The honest loop, asking a client of its own. */
function through(client: string, method = "messages.create"): string {
  const asking = `own.${method}({ model: "claude-sonnet-5-5", max_tokens: 100, messages, tools } as any) as Promise<any>`;
  return honestLoop("", `${SDK}\nconst own = ${client};`).replaceAll("callModel({ messages, tools })", asking);
}

test.each([
  ["at the module's level", "new Anthropic()"],
  ["with a key", 'new Anthropic({ apiKey: "sk-of-nobody", maxRetries: 5, timeout: 1000 })'],
  ["with the global fetch", "new Anthropic({ fetch })"],
  [
    "with a fetch of one's own",
    "new Anthropic({ fetch: async (url, init) => { await null; return fetch(url, init); } })",
  ],
  ["with a fetch that makes a Request", "new Anthropic({ fetch: (url, init) => fetch(new Request(url, init)) })"],
  ["with the same host", 'new Anthropic({ baseURL: "https://api.anthropic.com" })'],
  ["with the same host and a slash", 'new Anthropic({ baseURL: "https://api.anthropic.com/" })'],
  ["with headers", 'new Anthropic({ defaultHeaders: { "x-own": "1" } })'],
  ["derived from another", "new Anthropic().withOptions({ maxRetries: 0 })"],
  ["of a class of one's own", "new (class extends Anthropic {})()"],
])("%s", async (_, client) => {
  expect(await lab.run(through(client))).toMatchObject({
    outcome: "returned",
    counts: { callModel: 2, executeTool: 1, rejected: 0 },
  });
});

test("by the beta endpoint", async () => {
  expect(await lab.run(through("new Anthropic()", "beta.messages.create"))).toMatchObject({
    outcome: "returned",
    counts: { callModel: 2, executeTool: 1 },
  });
});

test("another host is refused, and named", async () => {
  const run = await lab.run(through('new Anthropic({ baseURL: "https://models.example.com", maxRetries: 0 })'));
  expect(run).toMatchObject({ outcome: "blocked", kind: "network" });
  expect(run.trace.find((event) => event.type === "blocked")).toMatchObject({ detail: "POST models.example.com" });
});
