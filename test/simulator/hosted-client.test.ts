import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SPECIFICATION } from "../../generate/specification.ts";
import type { HostedFault } from "../../simulator/hosted/hosted-reply.ts";
import { DATA_ROUTES, metricRoutes } from "../../simulator/hosted/hosted-routes.ts";
import { createHostedServices } from "../../simulator/hosted/hosted-service.ts";
import { simulateHosted, type SimulatedHosted } from "../../simulator/hosted/hosted.ts";
import { listen } from "../../simulator/http/server.ts";
import { CASES } from "../topics/hosted/cases.ts";
import { hostedClient, KEY, readerOf } from "../support/hosted-client.ts";
import { pageOf, type Body } from "../support/hosted.ts";

/** The public client of the service reads every answer of the real dialect and validates it against its schemas. */

let hosted: SimulatedHosted;
beforeAll(async () => {
  hosted = await simulateHosted({ key: KEY, now: () => 1_800_000_000_000 });
});
afterAll(() => hosted.close());

const PATHS = [
  ...SPECIFICATION.filter(({ title }) => /^(Data|Metrics) API$/.test(title)).flatMap(({ methods }) =>
    methods.map(({ name }) => name),
  ),
  "GET /v1/networks/{network}/rewards:listPending",
];

/** The client does not support the older series. */
const UNKNOWN_TO_CLIENT = ["GET /v1/avg_tps/{chainId}"];

describe("the service's own client", () => {
  it("supports every path of the specifications except the older series", () => {
    expect(PATHS.filter((path) => readerOf(path) === undefined)).toEqual(UNKNOWN_TO_CLIENT);
  });

  it.each(PATHS.filter((path) => !UNKNOWN_TO_CLIENT.includes(path)))("reads %s, on every page", async (path) => {
    const records = await readerOf(path)?.(hostedClient(hosted), hosted);
    expect(records?.length).toBeGreaterThan(0);
  });

  it("requested every route of the simulator", () => {
    const asked = hosted.requests().filter(({ status }) => status === 200);
    const routes = [...DATA_ROUTES, ...metricRoutes(() => 0)];
    const unused = routes.filter(({ pattern }) => !asked.some(({ url }) => pattern.test(url.replace(/\?.*/, ""))));
    expect(unused.map(({ pattern }) => pattern.source)).toEqual(["^\\/v1\\/avg_tps\\/([^/]+)$"]);
    expect(asked.some(({ url }) => url.includes("pageToken="))).toBe(true);
  });

  const REFUSALS = [
    ["bad-request", "BadRequestError", 400],
    ["unauthorized", "UnauthorizedError", 401],
    ["forbidden", "ForbiddenError", 403],
    ["not-found", "NotFoundError", 404],
    ["rate-limited", "TooManyRequestsError", 429],
    ["rate-limited-bare", "TooManyRequestsError", 429],
    ["server-error", "InternalServerError", 500],
    ["bad-gateway", "BadGatewayError", 502],
    ["unavailable", "ServiceUnavailableError", 503],
    // The page of a gateway is not an error of the service.
    ["bad-gateway-page", "AvalancheAPIError", 502],
    ["forbidden-page", "AvalancheAPIError", 403],
  ] as const satisfies ReadonlyArray<readonly [HostedFault, string, number]>;

  it.each(REFUSALS)("reports the fault %s as %s", async (fault, name, statusCode) => {
    hosted.set("data", fault);
    const asked = readerOf("GET /v1/chains/{chainId}")?.(hostedClient(hosted), hosted);
    await expect(asked).rejects.toMatchObject({ name, statusCode });
    hosted.set("data", undefined);
  });
});

describe("the bodies of the real dialect in the value tests", () => {
  const known = Object.values(CASES).filter(({ method }) => readerOf(method) !== undefined);

  it.each([
    ["first answers", ({ real }: (typeof known)[number]) => real],
    ["later answers", ({ real, later }: (typeof known)[number]) => later?.real ?? real],
  ] as const)("are accepted by the client of the service: %s", { timeout: 30_000 }, async (_, bodyOf) => {
    const bodies = new Map<string, Body>();
    const server = await listen(
      "127.0.0.1",
      0,
      ({ path, query }, response) => {
        const body = bodies.get(path);
        const simulated = services.answer("data", { method: "GET", path, query, headers: {} }, START).body;
        response.writeHead(200, { "content-type": "application/json" });
        response.end(
          body === undefined ? simulated : JSON.stringify(pageOf(body, query.get("pageToken") ?? undefined)),
        );
      },
      (_handshake, stream) => stream.destroy(),
    );
    const url = `http://127.0.0.1:${server.port}`;
    for (const each of known) bodies.set(each.path, bodyOf(each));
    for (const method of new Set(known.map((each) => each.method))) {
      const records = await readerOf(method)?.(hostedClient({ dataUrl: url, metricsUrl: url }), {
        dataUrl: url,
        metricsUrl: url,
      });
      expect(records?.length, method).toBeGreaterThan(0);
    }
    await server.close();
  });
});

const START = 1_800_000_000;
const services = createHostedServices({ start: START });
