import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BARE, KIT } from "../../cli/testing/bucle.ts";
import { freshFolder } from "../../cli/testing/folders.ts";
import { IS_WINDOWS } from "../../sandbox/platform.ts";

const LINGER = join(import.meta.dirname, "../../serve/testing/linger.mjs");

// On Windows a signal from another process ends Node at once: nothing can be tidied up.
test.skipIf(IS_WINDOWS).each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("on %s `audit --command` takes with it all that it has started", async (signal, code) => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const called = once(server, "connection");
  const { port } = server.address() as { port: number };
  const command = `"${process.execPath}" "${LINGER}" ${port}`;
  const audit = spawn(process.execPath, [join(KIT, "graders/cli/bucle.cjs"), "audit", "--command", command], {
    cwd: freshFolder(),
    env: { ...BARE },
    stdio: "ignore",
  });
  const [socket] = (await called) as [Socket];
  audit.kill(signal);
  const [ended] = await once(audit, "exit");
  expect(ended).toBe(code);
  if (!socket.closed) await once(socket.resume(), "close");
  server.close();
});
