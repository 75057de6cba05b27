import { link } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ask } from "../http/ask.ts";
import { startChild, written } from "./support/child.ts";
import { PROGRAM, runExporter } from "./support/daemon.ts";
import { cleanUpAfter, folder } from "./support/harness.ts";
import { listenOn } from "./support/recording-server.ts";

const statusOf = async (url: string) => (await fetch(url)).status;

it("answers at two addresses", async () => {
  const args = ["--web.listen-address=127.0.0.1:0", "--web.listen-address=[::1]:0", "--log.format=json"];
  const child = runExporter(args);
  cleanUpAfter(child.stop);
  const [, first = "", second = ""] = await written(child, /"address":"(http:[^"]+)"[^]*"address":"(http:[^"]+)"/);
  expect([new URL(first).hostname, new URL(second).hostname]).toEqual(["127.0.0.1", "[::1]"]);
  for (const address of [first, second]) expect(await statusOf(`${address}/metrics`)).toBe(200);
});

it("opens no address when one of them is taken", async () => {
  const taken = createServer();
  const port = await listenOn(taken);
  cleanUpAfter(() => new Promise((resolve) => taken.close(() => resolve())));
  const child = runExporter(["--web.listen-address=127.0.0.1:0", `--web.listen-address=127.0.0.1:${port}`]);
  expect(await child.exited).toBe(1);
  expect(child.stderr()).toContain(`cannot listen on 127.0.0.1:${port}: address already in use\n`);
});

/** The number of the file descriptor at which a server listens, which Node.js does not document. */
function descriptorOf(server: Server): number {
  const handle: unknown = Reflect.get(server, "_handle");
  return Number(typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : NaN);
}

it("answers on sockets that were passed as systemd passes them", async () => {
  const passed = [createServer(), createServer(), createServer()] as const;
  const [first, second, local] = passed;
  const ports = [await listenOn(first), await listenOn(second)];
  const path = await folder();
  await new Promise<void>((resolve) => void local.listen(join(path, "own"), resolve));
  // Closing removes the first name.
  await link(join(path, "own"), join(path, "avax.sock"));
  // systemd names the process that it starts; exec keeps the number of the shell.
  const script = 'LISTEN_PID=$$ LISTEN_FDS=3 exec "$@"';
  const words = [process.execPath, PROGRAM, "--web.systemd-socket", "--log.format=json", "--storage.path="];
  const child = startChild("/bin/sh", ["-c", script, "sh", ...words], {}, passed.map(descriptorOf));
  cleanUpAfter(child.stop);
  // From here on the sockets are those of the child alone.
  for (const server of passed) server.close();
  await written(child, /"listening"[^]*"listening"[^]*"address":"the passed socket 5"[^]*"listening"/);
  for (const port of ports) expect(await statusOf(`http://127.0.0.1:${port}/-/healthy`)).toBe(200);
  expect((await ask("http://localhost/-/healthy", { tls: { socketPath: join(path, "avax.sock") } })).status).toBe(200);
  child.signal("SIGTERM");
  expect(await child.exited).toBe(0);
});
