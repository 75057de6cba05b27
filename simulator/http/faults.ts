import type { ServerResponse } from "node:http";
import type { Transport } from "../world/scenarios.ts";
import type { SimulatedReply } from "../world/wire.ts";

/** Faults of a server or of a gateway in front of it. */

/** Size in bytes from which a Go server sends chunks instead of a content length. */
const CHUNKED_FROM = 2049;

/** Sends an answer with the framing of a Go server. */
function send(response: ServerResponse, reply: SimulatedReply): void {
  if (reply.hangs === true) return;
  const body = Buffer.from(reply.body);
  const framing = body.length < CHUNKED_FROM ? { "content-length": body.length } : { "transfer-encoding": "chunked" };
  response.writeHead(reply.status, {
    ...(reply.type === undefined ? {} : { "content-type": reply.type }),
    ...reply.headers,
    ...framing,
  });
  response.end(body);
}

const page = (title: string): SimulatedReply => ({
  status: 200,
  type: "text/html; charset=utf-8",
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});

/** Answers of a gateway that does not pass the request on. */
const GATEWAY: Readonly<Partial<Record<Transport, SimulatedReply>>> = {
  garbage: page("Welcome"),
  "403": { ...page("403 Forbidden"), status: 403 },
  "404": { status: 404, type: "text/plain; charset=utf-8", body: "404 page not found\n" },
  "429": { ...page("429 Too Many Requests"), status: 429, headers: { "retry-after": "5" } },
  "503": { ...page("503 Service Unavailable"), status: 503 },
  redirect: { status: 301, headers: { location: "/moved" }, body: "" },
};

/** Sends an answer with the fault `transport`. @param later runs a function after the delay of the scenario, unless the server closes */
export function transmit(
  transport: Transport,
  response: ServerResponse,
  make: () => SimulatedReply,
  later: (run: () => void) => void,
): void {
  switch (transport) {
    case "ok":
      send(response, make());
      return;
    case "slow":
      later(() => {
        if (!response.destroyed) send(response, make());
      });
      return;
    case "hanging":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "truncated":
      truncate(response, make());
      return;
    case "huge":
      flood(response);
      return;
    case "garbage":
    case "403":
    case "404":
    case "429":
    case "503":
    case "redirect":
      send(response, GATEWAY[transport] ?? page("?"));
      return;
  }
}

function truncate(response: ServerResponse, reply: SimulatedReply): void {
  const body = Buffer.from(reply.body);
  const type = reply.type === undefined ? {} : { "content-type": reply.type };
  response.writeHead(reply.status, { ...type, ...reply.headers, "content-length": Math.max(2, body.length) });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}

const BLOCK = Buffer.from(`{"peer":"${"x".repeat(65_520)}"},`);

/** Sends an endless JSON answer. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "transfer-encoding": "chunked" });
  response.write(`{"jsonrpc":"2.0","result":{"peers":[`);
  const pour = (): void => {
    while (!response.destroyed && response.write(BLOCK));
  };
  response.on("drain", pour);
  pour();
}
