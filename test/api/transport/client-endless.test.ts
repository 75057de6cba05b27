import { expect, it } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { infoMethods } from "../../../src/api/node/info.ts";
import { clientOf, failureOf } from "../../support/clients.ts";
import { always, serve, serveSockets } from "../../support/servers.ts";
import { writeEndlessly } from "../../support/write-endlessly.ts";

/** Answers that go on for as long as they are read: they end long before the deadline, or the node would take the processor. */

const nodeId = (api: Api) => api.call(infoMethods.getNodeID, {});
const ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const ANSWER = `{"jsonrpc":"2.0","result":{"nodeID":"${ID}"},"id":1}`;
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const FRAMING = "more than 1 MiB of the answer are headers, blank lines or the framing of chunks";

it.each([
  ["informational answers", "", "HTTP/1.1 103 Early Hints\r\n\r\n", /^more than 1000 informational answers precede/],
  ["chunks of a byte", CHUNKED, "1\r\n \r\n", /^10\d\d\d bytes of the answer come in 10\d\d\d parts$/],
  ["the extension of a chunk", `${CHUNKED}1;a=`, "b", FRAMING],
  ["a reason phrase", "HTTP/1.1 200 ", "b", FRAMING],
  ["blank lines", "", "\r\n", FRAMING],
])("%s without end are too large", async (_what, begin, again, message) => {
  const many = Buffer.from(again.repeat(10_000));
  const { url } = await serveSockets((socket) =>
    socket.once("data", () => {
      socket.write(begin);
      writeEndlessly(socket, many);
    }),
  );
  const failure = await failureOf(clientOf(url).within(20, nodeId));
  expect(failure).toEqual({ reason: "too_large", message: expect.toSatisfy(matches(message)) as unknown });
});

const matches = (pattern: string | RegExp) => (text: string) =>
  typeof pattern === "string" ? text === pattern : pattern.test(text);

it("an answer in thousands of small chunks is read", async () => {
  const body = ANSWER + " ".repeat(9_000);
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join("");
  const { url } = await serveSockets((socket) =>
    socket.once("data", () => socket.write(`${CHUNKED}${chunks}0\r\n\r\n`)),
  );
  expect(await clientOf(url).within(10, nodeId)).toEqual({ nodeID: ID });
});

it("the answers of a kept connection are bounded one by one", async () => {
  const { url, connections } = await serve(always(200, ANSWER + " ".repeat(190_000)));
  const client = clientOf(url, { maxResponseBytes: 200_000, connections: 1 });
  // Ten have more bytes than one answer can have.
  for (let polls = 0; polls < 10; polls++) expect(await client.within(10, nodeId)).toEqual({ nodeID: ID });
  expect(connections()).toBe(1);
});
