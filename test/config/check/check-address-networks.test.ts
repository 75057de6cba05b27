import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";

const ADDRESSES = {
  avax: "P-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5",
  fuji: "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t",
  local: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
  custom: "P-custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p",
};

function problemsOf(networks: ReadonlyArray<string | undefined>, prefix: keyof typeof ADDRESSES, more: object) {
  const nodes = networks.map((network, index) => ({ name: `n${index}`, url: `http://n${index}:9650`, network }));
  const config = { nodes, watch: { addresses: [{ address: ADDRESSES[prefix] }] }, ...more };
  const result = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => JSON.stringify(config) });
  return result.ok ? [] : result.problems.map(({ message }) => message);
}

/** The networks of the nodes, the prefix of the wallet, and which networks make it a problem. */
test.each<[ReadonlyArray<string | undefined>, keyof typeof ADDRESSES, string | undefined, object?]>([
  [["mainnet"], "avax", undefined],
  [["fuji"], "fuji", undefined],
  [["local"], "local", undefined],
  [["network-424242"], "custom", undefined],
  [["mainnet", "fuji"], "fuji", undefined],
  [["my-network"], "fuji", undefined],
  [["mainnet", "my-network"], "fuji", undefined],
  [[undefined], "fuji", undefined],
  [["mainnet", undefined], "fuji", undefined],
  [[], "fuji", undefined, { data_api: {} }],
  // A wallet of the Data API's network is accepted, whatever the nodes are on.
  [["mainnet"], "fuji", undefined, { data_api: { network: "testnet" } }],
  [["mainnet"], "fuji", "mainnet", { data_api: {} }],
  [["mainnet"], "fuji", "mainnet"],
  [["fuji", "mainnet"], "local", "fuji or mainnet"],
  [["local"], "custom", "local"],
  [["network-424242"], "local", "network-424242"],
])("nodes on %j with a wallet of %s: a problem with %s", (networks, prefix, known, more = {}) => {
  const problem = `this address starts with ${prefix}1, but all nodes are on ${known}; correct or remove it`;
  expect(problemsOf(networks, prefix, more)).toEqual(known === undefined ? [] : [problem]);
});
