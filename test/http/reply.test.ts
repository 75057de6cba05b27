import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startStream } from "../../src/http/reply.ts";
import { gate } from "./ask.ts";

test("a stream that its reader does not read is ended, and does not fill the memory", async () => {
  const stopped = gate();
  let written = 0;
  const server = createServer((_, response) => {
    const reply = { status: 200, headers: {}, chunks: [] };
    const stream = (sink: { readonly write: (text: string) => void }) => {
      const timer = setInterval(() => {
        sink.write("x".repeat(1_000_000));
        written += 1_000_000;
      }, 1);
      return () => {
        clearInterval(timer);
        stopped.open();
      };
    };
    startStream(response, { ...reply, stream });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await stopped.opened;
  // The system takes a few megabytes.
  expect(written).toBeLessThan(50_000_000);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
