/** Every HTTP request of the child is caught by MSW and carried to the parent: the model lives there. */
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { ask } from "./pipe.ts";

/** The line that made a request travels in this header, from the patched client to here; the model never sees it. */
export const AT_HEADER = "x-bucle-at";

let run = () => 0;

export function interceptRun(current: () => number): void {
  run = current;
}

const server = setupServer(
  http.all("*", async ({ request }) => {
    const headers: Record<string, string> = Object.fromEntries(request.headers);
    const at = headers[AT_HEADER] ?? null;
    delete headers[AT_HEADER];
    const body = await request.text();
    const { method, url } = request;
    const answer = await ask((id) => ({ t: "http", run: run(), id, method, url, headers, body, at }));
    if (answer.t !== "http") return HttpResponse.error();
    return new HttpResponse(answer.body, { status: answer.status, headers: answer.headers });
  }),
);

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
