/** Every HTTP request of the child is caught by MSW and carried to the parent: the model lives there. */
import { HttpResponse, RequestHandler } from "msw";
import { setupServer } from "msw/node";
import { ask } from "./pipe.ts";

/** The line that made a request travels in this header, from the patched client to here; the model never sees it. */
export const AT_HEADER = "x-bucle-at";

/** And so do the numbers of the tools that were under way when it was made. */
export const UNDER_WAY_HEADER = "x-bucle-under-way";

let here = () => ({ run: 0, conversation: 0 });

export function interceptRun(current: typeof here): void {
  here = current;
}

/** Whatever is asked. MSW's own handlers look for cookies and match paths first, which costs as much as all the rest. */
class AnyRequest extends RequestHandler {
  override predicate(): boolean {
    return true;
  }
  override log(): void {}
}

const server = setupServer(new AnyRequest({ info: { header: "*" }, resolver: carry }));

async function carry({ request }: { request: Request }): Promise<Response> {
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  const at = headers[AT_HEADER] ?? null;
  const underWay = (headers[UNDER_WAY_HEADER] ?? "").split(",").flatMap((id) => Number(id) || []);
  delete headers[AT_HEADER];
  delete headers[UNDER_WAY_HEADER];
  const body = await request.text();
  const { method, url } = request;
  const answer = await ask((id) => ({ t: "http", ...here(), id, method, url, headers, body, underWay, at }));
  if (answer.t !== "http") return HttpResponse.error();
  const { status, headers: given, pieces } = answer;
  const whole = pieces.length === 0 ? answer.body : inPieces(Buffer.from(answer.body), pieces);
  return new HttpResponse(whole, { status, headers: given });
}

server.listen({ onUnhandledRequest: "bypass" });

// MSW clones a mocked response; unless the clone is read, cancelling the other half (as the SDK does before a retry)
// never settles.
server.events.on("response:mocked", async ({ response }) => {
  try {
    await response.arrayBuffer();
  } catch {
    // an errored or already read body has nothing left to drain
  }
});

/** A body that arrives bit by bit, each piece when it is asked for. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, lengths: readonly number[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0;
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const length = lengths[next++];
      if (length === undefined) return controller.close();
      // A copy: whoever reads a piece may take its memory along.
      controller.enqueue(bytes.slice(sent, sent + length));
      sent += length;
    },
  });
}
