import { expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { HEADER_OVERFLOW } from "../../../src/api/transport/header-overflow.ts";
import { clientOf } from "../../support/clients.ts";
import { serveSockets } from "../../support/servers.ts";

it("an answer with 10,000 headers makes no error for each of them", async () => {
  const { url } = await serveSockets((socket) =>
    socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(10_000)}\r\n`)),
  );
  const poll = clientOf(url).within(5, (api) => api.call(infoMethods.getNodeID, {}));
  const error = await poll.catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    failure: { reason: "too_large", message: "the headers of the answer are too large" },
  });
  // The library's own class would have made another error.
  expect(error instanceof Error && error.cause === HEADER_OVERFLOW).toBe(true);
});
