import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";

/** The data requested from the Data API by default: that of the watch list. */

const A = "avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae";
const F = "fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t";
const HOT = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";
const COLD = "0x5FbDB2315678AFECb367f032D93f642f64180aA4";
const ONE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const TWO = "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu";

const WATCH = `
subnets:
  - id: 2YDwHaXxuAcsLRTLcHEFaF1xQkbgzjM5rQu3mMzuCHamTuqiGo
    chains:
      - { id: UNHo2MdxVtikDN9FX6U6URGnUwxoqYgRXKpr7Hp1FETr64Rkt, name: indexed, evm: true, evm_chain_id: 99001 }
      - { id: 2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5, name: other, evm: true, evm_chain_id: 99002 }
watch:
  validators: [${ONE}]
  validators_by_network: { fuji: [${TWO}] }
  addresses:
    - { address: P-${A}, name: treasury }
    - { address: C-${A}, name: treasury-on-c }
    - { address: P-${F} }
    - { address: "${HOT}", name: hot, chains: [C, indexed, other] }
    - { address: "${COLD}", chains: [other] }
`;

function configOf(section: string, before = WATCH) {
  return loadedOf(section, before).config;
}

function loadedOf(section: string, before: string) {
  const text = `${before}data_api: ${section}\n`;
  const result = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => text });
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join("\n"));
  return result.loaded;
}

it.each([
  [`node_id: ${ONE}`, "{}", [ONE], 0],
  [`node_id: ${ONE}, network: fuji`, "{}", [], 1],
  ["labels: {}", "{}", [], 0],
  [`node_id: ${ONE}`, `{ chains: ["43114"] }`, [], 0],
])("of a node with %s alone, %s requests the validators %j", (node, section, validators, warnings) => {
  const loaded = loadedOf(section, `nodes: [{ name: a, url: http://a, ${node} }]\n`);
  expect(loaded.config.dataApi?.wanted.validators).toEqual(validators);
  const found = loaded.warnings.filter(({ message }) => message.includes("nothing is requested"));
  expect(found).toHaveLength(warnings);
});

function wantedOf(section: string) {
  const wanted = configOf(section).dataApi?.wanted;
  if (wanted === undefined) throw new Error("no Data API");
  const { validators, wallets, accounts, names } = wanted;
  return { validators, wallets, accounts, names: Object.fromEntries(names) };
}

describe("the watch list", () => {
  it("is requested from the Data API of mainnet, with its names", () => {
    expect(wantedOf('{ chains: ["99001"] }')).toEqual({
      validators: [ONE],
      wallets: [A],
      accounts: [
        { chain: "43114", address: HOT },
        { chain: "99001", address: HOT },
      ],
      names: { [A]: "treasury", [HOT]: "hot" },
    });
  });

  it.each(["fuji", "testnet"])("is requested from the Data API of %s as fuji", (network) => {
    const { dataApi } = configOf(`{ network: ${network}, url: "https://x.test/v1" }`);
    expect([dataApi?.wanted.network, dataApi?.url]).toEqual(["fuji", "https://x.test"]);
    expect(wantedOf(`{ network: ${network} }`)).toEqual({
      validators: [ONE, TWO],
      wallets: [F],
      accounts: [{ chain: "43113", address: HOT }],
      names: { [F]: F, [HOT]: "hot" },
    });
  });

  it("names the addresses of the section in any spelling", () => {
    const section = `{ validators: [], wallets: [X-${A}], accounts: [{ address: "${HOT.toUpperCase().replace("0X", "0x")}", chains: ["1"] }] }`;
    const { validators, wallets, names } = wantedOf(section);
    expect({ validators, wallets }).toEqual({ validators: [], wallets: [A] });
    expect(Object.values(names)).toEqual(["treasury", "hot"]);
  });

  it("is ignored where the section has empty lists", () => {
    expect(wantedOf("{ validators: [], wallets: [], accounts: [] }")).toEqual({
      validators: [],
      wallets: [],
      accounts: [],
      names: {},
    });
  });
});

it("chains are named by an EVM chain ID, an alias or a blockchain ID", () => {
  const chain = "UNHo2MdxVtikDN9FX6U6URGnUwxoqYgRXKpr7Hp1FETr64Rkt";
  const account = `{ address: "${HOT}", chains: ["${chain}"] }`;
  const section = `{ utxo_chains: [p-chain, ${chain}], chains: ["43114", ${chain}], accounts: [${account}] }`;
  expect(configOf(section).dataApi?.wanted).toMatchObject({
    utxoChains: ["p-chain", chain],
    chains: ["43114", chain],
    accounts: [{ chain, address: HOT }],
  });
  expect(() => configOf(section.replaceAll(chain, `${chain.slice(0, -1)}x`))).toThrow();
});
