import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";

const ADDRESSES = {
  avax: "P-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5",
  fuji: "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t",
  local: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
  custom: "P-custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p",
};

function problemsOf(networks: ReadonlyArray<string | undefined>, prefix: keyof typeof ADDRESSES, more: object = {}) {
  const nodes = networks.map((network, index) => ({ name: `n${index}`, url: `http://n${index}:9650`, network }));
  const config = { nodes, watch: { addresses: [{ address: ADDRESSES[prefix] }] }, ...more };
  const result = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => JSON.stringify(config) });
  return result.ok ? [] : result.problems.map(({ message }) => message);
}

test.each([
  [["mainnet"], "avax"],
  [["fuji"], "fuji"],
  [["local"], "local"],
  [["network-424242"], "custom"],
  [["mainnet", "fuji"], "fuji"],
  [["my-network"], "fuji"],
  [["mainnet", "my-network"], "fuji"],
  [[undefined], "fuji"],
  [["mainnet", undefined], "fuji"],
  [[], "fuji"],
] as const)("nodes on %j accept a wallet of %s", (networks, prefix) => {
  expect(problemsOf(networks, prefix, networks.length === 0 ? { data_api: {} } : {})).toEqual([]);
});

test.each([
  [["mainnet"], "fuji", "mainnet"],
  [["fuji", "mainnet"], "local", "fuji or mainnet"],
  [["local"], "custom", "local"],
  [["network-424242"], "local", "network-424242"],
] as const)("nodes on %j reject a wallet of %s", (networks, prefix, known) => {
  expect(problemsOf(networks, prefix)).toEqual([
    `this address starts with ${prefix}1, but all nodes are on ${known}; correct or remove it`,
  ]);
});

test("a wallet of the Data API's network is accepted, whatever the nodes are on", () => {
  expect(problemsOf(["mainnet"], "fuji", { data_api: { network: "testnet" } })).toEqual([]);
  expect(problemsOf(["mainnet"], "fuji", { data_api: {} })).toHaveLength(1);
});
