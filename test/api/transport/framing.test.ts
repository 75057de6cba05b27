import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { createFraming } from "../../../src/api/transport/framing.ts";
import { selfSigned } from "../../support/certificates.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { serveSockets, serveTls } from "../../support/servers.ts";

const MIB = 1024 * 1024;
const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const ANSWER = `{"jsonrpc":"2.0","result":{"nodeID":"${ID}"},"id":1}`;
const TOO_MUCH = {
  reason: "too_large",
  message: "more than 1 MiB of the answer are headers, blank lines or the framing of chunks",
};
const limits = { maxResponseBytes: 32e6, connections: 4 };

/** A body in chunks of the same size. */
function chunked(body: string, size: number): string {
  const chunks = (body.match(new RegExp(`.{1,${size}}`, "gs")) ?? []).map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`;
}

/** Answers each request of each connection with these bytes, 30 kB at a time: the answers of several connections mix. */
function mixed(answer: string) {
  return serveSockets((socket) =>
    socket.on("data", () => {
      let at = 0;
      const more = (): void => {
        if (at >= answer.length || socket.destroyed) return;
        socket.write(answer.slice(at, (at += 30_000)));
        setImmediate(more);
      };
      more();
    }),
  );
}

describe("the framing of answers", () => {
  it.each([5_000, 300])(
    "does not count the bodies of answers on four connections, in chunks of %i bytes",
    async (size) => {
      const { url } = await mixed(chunked(ANSWER + " ".repeat(4 * MIB), size));
      const client = clientOf(url, limits);
      const polls = Array.from({ length: 8 }, () => client.within(30, nodeId));
      expect(await Promise.all(polls)).toEqual(polls.map(() => ({ nodeID: ID })));
    },
  );

  it("does not count the body over TLS", async () => {
    const body = ANSWER + " ".repeat(8 * MIB);
    const { url } = await serveTls(selfSigned(3), (_request, response) => void response.end(body));
    expect(await clientOf(url, { ...limits, tls: { rejectUnauthorized: false } }).within(30, nodeId)).toEqual({
      nodeID: ID,
    });
  });

  it.each([
    ["before the answer", "\r\n".repeat(MIB) + chunked(ANSWER, 50)],
    ["after a part of the body", chunked(ANSWER, 50).replace(/\r\n0\r\n/, `\r\n0;${"a".repeat(2 * MIB)}\r\n`)],
  ])("is bounded %s, however large an answer can be", async (_where, answer) => {
    const { url } = await mixed(answer);
    expect(await failureOf(clientOf(url, limits).within(30, nodeId))).toEqual(TOO_MUCH);
  });

  it("is counted from the request on, with the bodies of this connection", async () => {
    const [open, remote] = await pair();
    const framing = createFraming();
    framing.limit(open);
    open.on("readable", () => void open.read());
    const received = async (bytes: number): Promise<void> => {
      const until = open.bytesRead + bytes;
      remote.write(Buffer.alloc(bytes));
      while (open.bytesRead < until && !open.destroyed) await once(open, open.readable ? "readable" : "close");
    };
    for (const _request of [1, 2, 3]) {
      open.write("x");
      await received(MIB / 2);
      const body = framing.bodyBegins();
      body(MIB / 2);
      await received(MIB);
      body(MIB);
      await received(MIB / 2);
    }
    expect(open.destroyed).toBe(false);
    const closed = once(open, "error");
    await received(3 * MIB);
    expect(await closed).toMatchObject([{ failure: TOO_MUCH }]);
  });
});

async function pair(): Promise<readonly [Socket, Socket]> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const { url } = await serveSockets(resolve);
  const open = connect(Number(new URL(url).port), "127.0.0.1");
  afterThisTest.add(() => Promise.resolve(void open.destroy()));
  await once(open, "connect");
  return [open, await promise];
}
