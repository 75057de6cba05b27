import { afterAll, beforeAll, expect, it } from "vitest";
import { HOSTED_METHODS, placesOf } from "../../../src/api/hosted/hosted-methods.ts";
import { callHosted } from "../../../src/cli/call/call-hosted.ts";
import { simulateHosted, type SimulatedHosted } from "../../../simulator/hosted/hosted.ts";
import { ACCOUNT, hostedConfig, NODE, WALLET } from "../../support/hosted.ts";
import { writtenSystem } from "../../support/written-system.ts";

let hosted: SimulatedHosted;
beforeAll(async () => {
  hosted = await simulateHosted({ key: "k-1" });
});
afterAll(() => hosted.close());

async function call(args: Parameters<typeof callHosted>[0], key = "k-1") {
  const { system, written } = writtenSystem();
  const base = hostedConfig({ data: {}, metrics: {}, key });
  const config = {
    ...base,
    ...(base.dataApi === undefined ? {} : { dataApi: { ...base.dataApi, url: hosted.dataUrl } }),
    ...(base.metricsApi === undefined ? {} : { metricsApi: { ...base.metricsApi, url: hosted.metricsUrl } }),
  };
  return { code: await callHosted(args, config, 10, system), ...written };
}

const VALUES: Readonly<Record<string, string>> = {
  chainId: "43114",
  address: ACCOUNT,
  tokenId: "1",
  txHash: ACCOUNT,
  network: "mainnet",
  nodeId: NODE,
  blockchainId: "p-chain",
  metric: "txCount",
};

it.each(HOSTED_METHODS.map(({ name, service, path }) => [name, service, path] as const))(
  "%s is answered",
  async (name, service, path) => {
    const params = {
      ...Object.fromEntries(placesOf(path).map((place) => [place, VALUES[place]])),
      ...(/utxos|rewards/.test(path) ? { addresses: WALLET } : {}),
    };
    const { code, out, err } = await call([
      service === "data" ? "data-api" : "metrics-api",
      name,
      JSON.stringify(params),
    ]);
    expect([code, err]).toEqual([0, ""]);
    expect(Object.keys(JSON.parse(out) as object).length).toBeGreaterThan(0);
    // The path can be written out.
    const written = path.replace(/\{(\w+)\}/g, (_, place: string) => VALUES[place] ?? "");
    const query = JSON.stringify(/utxos|rewards/.test(path) ? { addresses: WALLET } : {});
    const again = await call([service === "data" ? "data-api" : "metrics-api", written, query]);
    expect([again.code, Object.keys(JSON.parse(again.out) as object)]).toEqual([
      0,
      Object.keys(JSON.parse(out) as object),
    ]);
  },
);

it("prints the error of the service, without the key", async () => {
  const bad = await call([
    "data-api",
    "GET /v1/networks/{network}/validators/{nodeId}",
    '{"network":"mainnet","nodeId":"x"}',
  ]);
  expect(bad.code).toBe(1);
  expect(bad.err).toMatch(/^data-api: http_status: HTTP 400: .*"Invalid nodeId"/);
  const refused = await call(["data-api", "GET /v1/chains", undefined], "k-wrong");
  expect(refused.err).toMatch(/^data-api: unauthorized: HTTP 401: .*"Invalid API key <secret>"/);
});

it("names the missing parameter, and lists the methods", async () => {
  expect((await call(["data-api", "GET /v1/chains/{chainId}", undefined])).err).toContain("requires chainId");
  const unknown = await call(["metrics-api", "GET /v1/chains", undefined]);
  expect([unknown.code, unknown.err.includes("GET /v1/avg_tps/{chainId}")]).toEqual([2, true]);
});
