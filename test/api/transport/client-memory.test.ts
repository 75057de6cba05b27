import { once } from "node:events";
import type { Socket } from "node:net";
import { queryObjects } from "node:v8";
import { Client } from "undici";
import { expect, it, vi } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { clientOf } from "../../support/clients.ts";
import { serveSockets } from "../../support/servers.ts";

const RESULT = { nodeID: "NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu" };
const ANSWER = JSON.stringify({ jsonrpc: "2.0", result: RESULT });
const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});

it("a connection that is closed while it waits for a request leaves nothing in memory", async () => {
  const sockets: Socket[] = [];
  const { url } = await serveSockets((socket) => {
    sockets.push(socket);
    socket.on("data", () =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`,
      ),
    );
  });
  const count = () => queryObjects(Client, { format: "count" });
  // The library has some of its own.
  const none = count();
  const client = clientOf(url, { connections: 8 });
  await Promise.all(Array.from({ length: 8 }, () => client.within(5, nodeId)));
  expect(count() - none).toBe(8);
  const [kept, ...others] = sockets;
  await Promise.all(others.map((socket) => once(socket.end(), "close")));
  await vi.waitFor(() => expect(count() - none).toBe(1), { timeout: 5_000, interval: 100 });
  expect(await client.within(5, nodeId)).toEqual(RESULT);
  expect(sockets).toHaveLength(8);
  await once((kept as Socket).end(), "close");
  expect(await client.within(5, nodeId)).toEqual(RESULT);
  expect(sockets).toHaveLength(9);
});
