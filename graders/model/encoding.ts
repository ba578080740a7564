import type { Answer } from "./model.ts";
import { createRandom } from "./seed.ts";
import type { StreamEvent } from "./stream.ts";

/** An answer as HTTP. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Lengths in bytes of the pieces that the body goes out in. Empty where it goes out as one. */
  pieces: readonly number[];
}

/** An answer as HTTP: server-sent events where it is a stream, else JSON. A failure before a stream begins is JSON. */
export function encode(answer: Answer): HttpAnswer {
  const { status, events, headers } = answer;
  if (events === null) {
    const said = answer.message ?? { type: "error", error: answer.error, request_id: headers["request-id"] ?? null };
    return asJson(status, headers, said);
  }
  const body = events.map(formatEvent).join("");
  return {
    status,
    headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" },
    body,
    pieces: cutBytes(body, headers["request-id"] ?? ""),
  };
}

/** Anything as a JSON response. */
export function asJson(status: number, headers: Record<string, string>, body: unknown): HttpAnswer {
  return {
    status,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    pieces: [],
  };
}

/** `event: …` and `data: …`, as it goes over the wire. */
export function formatEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/**
 * Where a network would cut a stream: anywhere, so also inside a character and between the two line feeds that end an
 * event. One cut of each kind is always there, where the body has such a place.
 */
function cutBytes(body: string, seed: string): number[] {
  const random = createRandom(`${seed}/pieces`);
  const bytes = new TextEncoder().encode(body);
  const [inCharacter, inEnd]: [number[], number[]] = [[], []];
  for (let i = 1; i < bytes.length; i++) {
    if ((bytes[i]! & 0xc0) === 0x80) inCharacter.push(i);
    if (bytes[i] === LINE_FEED && bytes[i - 1] === LINE_FEED) inEnd.push(i);
  }
  const cuts = new Set<number>();
  for (const places of [inCharacter, inEnd]) if (places.length > 0) cuts.add(random.pick(places));
  for (let i = random.int(2, 8); i > 0 && bytes.length > 1; i--) cuts.add(random.int(1, bytes.length - 1));
  const at = [0, ...[...cuts].toSorted((a, b) => a - b), bytes.length];
  return at.slice(1).map((to, i) => to - at[i]!);
}

const LINE_FEED = 10;
