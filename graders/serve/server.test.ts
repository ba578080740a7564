import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, expect, test } from "vitest";
import { type Conversation, converse } from "../model/conversation.ts";
import { asJson, type HttpAnswer } from "../model/encoding.ts";
import { respond } from "../model/http.ts";
import { openTestScript } from "../testing/play.ts";
import { noCall, oneTurn, script } from "../testing/scripts.ts";
import { type Answering, BODY_BYTES, openPort, type Port } from "./server.ts";

const open: Port[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((port) => port.close()));
});

async function portOf(answer: Answering): Promise<Port> {
  const port = await openPort(answer);
  open.push(port);
  return port;
}

/** A port that plays a script, and a client of the real SDK that speaks to it. */
async function playing(replies: readonly unknown[]): Promise<{ talk: Conversation; port: Port; client: Anthropic }> {
  const talk = converse(openTestScript(script(replies)), "results");
  const port = await portOf((request) => respond(talk, request));
  return { talk, port, client: new Anthropic({ baseURL: port.url, apiKey: "any" }) };
}

async function send(url: string, options: RequestOptions = {}, body: string | Buffer = ""): Promise<IncomingMessage> {
  const sent = request(url, { method: "POST", ...options });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

const echo: Answering = ({ body }) => asJson(200, {}, { heard: body });
const stream = (pieces: readonly string[]): HttpAnswer => ({
  status: 200,
  headers: { "content-type": "text/event-stream; charset=utf-8" },
  body: pieces.join(""),
  pieces: pieces.map((piece) => Buffer.byteLength(piece)),
});

const ASKED = { model: "claude-sonnet-5-5", max_tokens: 64, messages: [{ role: "user" as const, content: "Hello" }] };
const TOOLS = ["read_logs", "restart_service"].map((name) => ({ name, input_schema: { type: "object" as const } }));

test("a request is handed over as it was sent, without its query", async () => {
  const seen: unknown[] = [];
  const { url } = await portOf((asked) => {
    seen.push(asked);
    return asJson(200, {}, {});
  });
  await send(`${url}/v1/messages?beta=true`, { headers: { "X-Api-Key": "any", "content-length": 6 } }, "señal");
  expect(seen).toEqual([
    {
      method: "POST",
      path: "/v1/messages",
      headers: expect.objectContaining({ "x-api-key": "any" }),
      body: "señal",
    },
  ]);
});

test("each piece of a stream is a chunk of its own, cut inside a character or not", async () => {
  const bytes = Buffer.from("data: «ñ»\n\nthe end");
  const pieces = [7, 1, 5, bytes.length - 13];
  const { url } = await portOf(() => ({ ...stream([bytes.toString()]), pieces }));
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString("latin1");
  let from = 0;
  const framed = pieces.map((length) => {
    from += length;
    return `${length.toString(16)}\r\n${bytes.toString("latin1", from - length, from)}\r\n`;
  });
  expect(raw.slice(raw.indexOf("\r\n\r\n") + 4)).toBe(`${framed.join("")}0\r\n\r\n`);
});

test("a connection is kept for the next request", async () => {
  const { url } = await portOf(echo);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports: (number | undefined)[] = [];
  for (const body of ["one", "two", "three"]) {
    const response = await send(url, { agent }, body);
    ports.push(response.socket.localPort);
    expect(JSON.parse(await text(response))).toEqual({ heard: body });
  }
  agent.destroy();
  expect(new Set(ports).size).toBe(1);
});

test("many clients at once each get their own answer", async () => {
  const { url } = await portOf(({ body }) => stream([`[${body}`, `${body}]`]));
  const said = await Promise.all(Array.from({ length: 60 }, async (_, i) => text(await send(url, {}, `${i},`))));
  expect(said).toEqual(Array.from({ length: 60 }, (_, i) => `[${i},${i},]`));
});

test("a client that leaves in mid-stream, or before it has sent all, harms nobody", async () => {
  const long = stream(Array.from({ length: 400 }, () => "x".repeat(64 * 1024)));
  let asked = 0;
  const { url } = await portOf(() => {
    asked += 1;
    return long;
  });
  const leaving = await send(url);
  await once(leaving, "data");
  leaving.destroy();
  const half = connect(Number(new URL(url).port), "127.0.0.1");
  half.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nonly this");
  await once(half, "connect");
  half.destroy();
  expect((await text(await send(url))).length).toBe(400 * 64 * 1024);
  expect(asked).toBe(2);
});

test("a body that is too large is answered as the API does, and is not shown", async () => {
  let asked = 0;
  const { url } = await portOf(({ body }) => {
    asked += 1;
    return asJson(200, {}, { bytes: body.length });
  });
  const largest = await send(url, {}, Buffer.alloc(BODY_BYTES, "x"));
  expect(JSON.parse(await text(largest))).toEqual({ bytes: BODY_BYTES });
  const tooLarge = await send(url, {}, Buffer.alloc(BODY_BYTES + 1, "x"));
  expect(tooLarge.statusCode).toBe(413);
  expect(JSON.parse(await text(tooLarge))).toMatchObject({ type: "error", error: { type: "request_too_large" } });
  expect(asked).toBe(1);
});

test("an answer that never comes leaves the client waiting until the port is closed", async () => {
  const waiting: unknown[] = [];
  const port = await openPort(() => {
    waiting.push(port.close());
    return null;
  });
  await expect(send(port.url)).rejects.toThrow(/socket hang up/);
  await Promise.all(waiting);
});

test("a port that is taken is refused", async () => {
  const { url } = await portOf(echo);
  await expect(openPort(echo, Number(new URL(url).port))).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("whatever is no endpoint of the API is not found, and leaves no trace", async () => {
  const { talk, port } = await playing(noCall);
  for (const [method, path] of [
    ["GET", "/v1/messages"],
    ["GET", "/"],
    ["POST", "/v1/complete"],
    ["DELETE", "/v1/messages"],
  ] as const) {
    const response = await send(`${port.url}${path}`, { method });
    expect([response.statusCode, JSON.parse(await text(response))]).toEqual([
      404,
      expect.objectContaining({ type: "error", error: { type: "not_found_error", message: "Not Found" } }),
    ]);
  }
  expect(talk.trace).toEqual([]);
});

test("what is no JSON is a 400, and so is what lacks a credential's companion, the version", async () => {
  const { port } = await playing(noCall);
  const headers = { "x-api-key": "any", "anthropic-version": "2023-06-01" };
  const responses = [
    await send(`${port.url}/v1/messages`, { headers }, "{not json"),
    await send(`${port.url}/v1/messages`, { headers: { "x-api-key": "any" } }, JSON.stringify(ASKED)),
    await send(`${port.url}/v1/messages`, { headers }, JSON.stringify(ASKED)),
  ];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([400, 400, 200]);
});

test("the SDK: a message whole and streamed, and a conversation counted", async () => {
  const { client } = await playing([{ text: "All is «well», señora. {{nonce}}" }]);
  const whole = await client.messages.create(ASKED);
  expect(whole.content).toMatchObject([{ type: "text", text: expect.stringContaining("«well», señora") }]);
  const streamed = await client.messages.stream(ASKED).finalMessage();
  expect(streamed.content).toEqual(whole.content);
  expect((await client.messages.countTokens(ASKED)).input_tokens).toBe(whole.usage.input_tokens);
});

test("the SDK: a failed attempt is made again as the server asks", async () => {
  const { talk, client } = await playing([{ fault: 529, retryAfterMs: 1 }, { fault: 429, retryAfterMs: 1 }, ...noCall]);
  expect((await client.messages.create(ASKED)).stop_reason).toBe("end_turn");
  expect(talk.trace.flatMap((event) => (event.type === "request" ? [event.attempt] : []))).toEqual([1, 2, 3]);
});

test("the SDK: a stream that is cut", async () => {
  const { client } = await playing([{ fault: "cut" }, { fault: "cut" }, ...noCall]);
  await expect(client.messages.stream(ASKED).finalMessage()).rejects.toThrow(/stream ended without producing/);
  const types: string[] = [];
  for await (const { type } of await client.messages.create({ ...ASKED, stream: true })) types.push(type);
  expect(types[0]).toBe("message_start");
  expect(types).not.toContain("message_stop");
  expect((await client.messages.stream(ASKED).finalMessage()).stop_reason).toBe("end_turn");
});

test("the SDK: an error in mid-stream", async () => {
  const { client } = await playing([{ fault: 529, midStream: true }, { fault: 529, midStream: true }, ...noCall]);
  await expect(client.messages.stream(ASKED).finalMessage()).rejects.toMatchObject({ type: "overloaded_error" });
  const types: string[] = [];
  const reading = async () => {
    for await (const { type } of await client.messages.create({ ...ASKED, stream: true })) types.push(type);
  };
  await expect(reading()).rejects.toMatchObject({ type: "overloaded_error" });
  expect(types[0]).toBe("message_start");
});

test("the SDK: leaving a stream on its first event, the conversation goes on", async () => {
  const { talk, client } = await playing(oneTurn);
  for await (const _ of await client.messages.create({ ...ASKED, tools: TOOLS, stream: true })) break;
  const { content } = await client.messages.create({ ...ASKED, tools: TOOLS });
  expect(content.some(({ type }) => type === "tool_use")).toBe(true);
  expect(talk.trace.filter(({ type }) => type === "reply")).toHaveLength(2);
});
