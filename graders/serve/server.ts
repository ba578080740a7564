/** The API on a port of this machine: it knows sockets, and nothing of conversations. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { asJson, type HttpAnswer } from "../model/encoding.ts";
import type { HttpRequest } from "../model/http.ts";

/** Largest body of a request, bytes: the API's own limit. */
export const BODY_BYTES = 32 * 1024 * 1024;

/** A body this many times too large is not even read to its end. */
const PATIENCE = 4;

/** How long a client may think between two requests of one connection, ms: tools take their time. */
const KEEP_ALIVE_MS = 5 * 60 * 1000;

export interface Port {
  /** `http://127.0.0.1:<port>`: what a client's base URL is set to. */
  url: string;
  /** Drops every connection; resolves when the port is free again. */
  close(): Promise<void>;
}

/** Answers a request. Null: the answer never comes, and the client is left waiting. */
export type Answering = (request: HttpRequest) => HttpAnswer | null;

/**
 * Opens a port that only this machine reaches. A stream goes out in its pieces, each written apart.
 * A body over `BODY_BYTES` is answered 413 here and is not shown to `answer`.
 * @param port left out or 0: any free one
 * @throws what Node throws where the port cannot be had: `EADDRINUSE`, `EACCES`
 */
export async function openPort(answer: Answering, port = 0): Promise<Port> {
  const server = createServer((request, response) => {
    // A client that goes away is no matter of ours.
    for (const end of [request, response]) end.on("error", () => {});
    void receive(request).then(async (received) => {
      if (received === null) return;
      const given = received === "too-large" ? TOO_LARGE : answer(received);
      if (given !== null) await send(response, given);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A request as a whole; null where the client went away before it was sent. */
async function receive(request: IncomingMessage): Promise<HttpRequest | "too-large" | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > PATIENCE * BODY_BYTES) {
        request.destroy();
        return null;
      }
    }
  } catch {
    return null;
  }
  if (bytes > BODY_BYTES) return "too-large";
  const { method = "GET", url = "/" } = request;
  return {
    method,
    path: url.replace(/[?#].*$/s, ""),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

/** The text is the API's own, as the script's faults have it. */
const TOO_LARGE: HttpAnswer = asJson(
  413,
  { "x-should-retry": "false" },
  {
    type: "error",
    error: { type: "request_too_large", message: "Request exceeds the maximum size" },
    request_id: null,
  },
);

async function send(response: ServerResponse, { status, headers, body, pieces }: HttpAnswer): Promise<void> {
  const bytes = Buffer.from(body);
  if (pieces.length === 0) {
    response.writeHead(status, { ...headers, "content-length": bytes.length }).end(bytes);
    return;
  }
  response.writeHead(status, { ...headers, "cache-control": "no-cache" });
  let from = 0;
  for (const length of pieces) {
    if (response.destroyed) return;
    const more = response.write(bytes.subarray(from, from + length));
    if (!more) await roomIn(response);
    from += length;
    // What is written in one turn of the event loop goes out as one.
    await nextTurn();
  }
  response.end();
}

/** Resolves when more can be written, or nobody reads any more. */
function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}
