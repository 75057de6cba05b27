import { describe, expect, it } from "vitest";
import { createHostedServices, type HostedServiceOptions } from "../../../simulator/hosted/hosted-service.ts";
import { ACCOUNT, NODE } from "../../support/hosted.ts";

const START = 1_800_000_000;

function servicesOf(options: Partial<HostedServiceOptions> = {}) {
  const services = createHostedServices({ start: START, ...options });
  const ask = (url: string, headers: Record<string, string> = {}, at = START) => {
    const [path = "", query = ""] = url.split("?");
    const service = path.startsWith("/v2/") || path.startsWith("/v1/avg_tps") ? "metrics" : "data";
    const reply = services.answer(service, { method: "GET", path, query: new URLSearchParams(query), headers }, at);
    const body: unknown = reply.type?.startsWith("application/json") === true ? JSON.parse(reply.body) : reply.body;
    return { ...reply, body: body as Record<string, unknown> };
  };
  return { services, ask };
}

const TOKENS = `/v1/chains/43114/nfts/collections/${ACCOUNT}/tokens`;

describe("pages", () => {
  it("have every record once, and the last has no token", () => {
    const { ask } = servicesOf();
    const ids: unknown[] = [];
    let token: string | undefined;
    do {
      const { body } = ask(`${TOKENS}?pageSize=50${token === undefined ? "" : `&pageToken=${token}`}`);
      ids.push(...(body["tokens"] as Array<{ tokenId: string }>).map(({ tokenId }) => tokenId));
      token = body["nextPageToken"] as string | undefined;
      if (token !== undefined)
        expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    } while (token !== undefined);
    expect(ids.length).toBeGreaterThan(100);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("have a token for one listing that expires after a day", () => {
    const { ask } = servicesOf();
    const token = String(ask(TOKENS).body["nextPageToken"]);
    expect(ask(`${TOKENS}?pageToken=${token}`, {}, START + 86_399).status).toBe(200);
    expect(ask(`${TOKENS}?pageToken=${token}`, {}, START + 86_400).status).toBe(400);
    expect(ask(`${TOKENS}?pageSize=20&pageToken=${token}`).status).toBe(400);
  });

  it.each([
    ["pageSize=101", ["pageSize must not be greater than 100"]],
    ["pageSize=x", ["pageSize must be an integer number"]],
    ["pageSize=0", ["pageSize must not be less than 1"]],
  ])("refuse %s", (query, message) => {
    expect(servicesOf().ask(`${TOKENS}?${query}`).body).toEqual({ message, error: "Bad Request", statusCode: 400 });
  });
});

describe("the services refuse", () => {
  it.each([
    ["/v1/networks/mainnet/validators/NodeID-x", 400],
    ["/v1/networks/mainnet/rewards", 400],
    ["/v1/chains/5", 404],
    ["/v1/nothing", 404],
    ["/v2/chains/43114/metrics/nothing", 400],
    ["/v2/chains/43114/metrics/cumulativeTxCount?timeInterval=hour", 400],
    ["/v2/chains/5/metrics/txCount", 404],
  ])("%s with %i", (url, status) => {
    expect(servicesOf().ask(url).body).toMatchObject({ statusCode: status });
  });

  it("requests without a key in the header of the dialect", () => {
    for (const [dialect, header] of [
      ["real", "x-glacier-api-key"],
      ["spec", "x-service-api-key"],
    ] as const) {
      const { ask } = servicesOf({ dialect, key: "k" });
      expect(ask("/v1/chains").status).toBe(401);
      expect(ask("/v1/chains", { [header]: "wrong" }).status).toBe(401);
      expect(ask("/v1/chains", { [header]: "k" }).status).toBe(200);
      expect(ask("/v2/chains/43114/metrics/txCount").status).toBe(200);
    }
  });

  it("more units per minute than the limit, with a retry time", () => {
    const { ask } = servicesOf({ unitsPerMinute: 200 });
    const url = `/v1/networks/mainnet/rewards?nodeIds=${NODE}`;
    expect([ask(url).status, ask(url).status]).toEqual([200, 200]);
    const limited = ask(url, {}, START + 20);
    expect([limited.status, limited.headers?.["retry-after"]]).toEqual([429, "40"]);
    expect(ask(url, {}, START + 60).status).toBe(200);
  });
});

describe("the dialects", () => {
  it("differ in prices, states and outputs", () => {
    const [spec, real] = [servicesOf({ dialect: "spec" }), servicesOf({ dialect: "real" })];
    const holdings = `/v1/chains/43114/addresses/${ACCOUNT}/balances:listErc721`;
    const price = ({ body }: ReturnType<typeof spec.ask>) => (body["nativeTokenBalance"] as { price: object }).price;
    expect(price(spec.ask(holdings))).toEqual({ currencyCode: "usd", value: "20" });
    expect(price(real.ask(holdings))).toEqual({ currencyCode: "usd", value: 20 });
    const state = ({ body }: ReturnType<typeof spec.ask>) => (body["metadata"] as { indexStatus: string }).indexStatus;
    expect([state(spec.ask(`${TOKENS}/1`)), state(real.ask(`${TOKENS}/1`))]).toEqual(["indexed", "INDEXED"]);
    const utxos =
      "/v1/networks/mainnet/blockchains/x-chain/utxos?addresses=avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae";
    const index = ({ body }: ReturnType<typeof spec.ask>) =>
      typeof (body["utxos"] as Array<{ outputIndex: unknown }>)[0]?.outputIndex;
    expect([index(spec.ask(utxos)), index(real.ask(utxos))]).toEqual(["number", "string"]);
  });
});
