import { VmConfigs } from "../../api/node/admin.ts";
import { TxFee } from "../../api/node/info.ts";
import type { Config } from "../../config/config.ts";
import { defaultConfig } from "../../config/default-config.ts";
import type { Simulation } from "../../../simulator/simulate.ts";
import { NOTHING_WANTED } from "../../api/hosted/hosted.ts";
import { PUBLIC_BUDGET } from "../../config/schema/hosted-section.ts";
import { tokenOf } from "../../../simulator/hosted/hosted-evm.ts";

/** An account of the simulated EVM chains. */
const DEMO_ACCOUNT = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";

const SITES = ["north", "south"];
const HOT_WALLET = { address: DEMO_ACCOUNT, name: "hot-wallet", low: 1, chains: ["C"] };

/** The configuration that watches a whole simulated network. */
export function demoConfig(simulation: Simulation): Config {
  const base = defaultConfig();
  const [node] = base.nodes;
  if (node === undefined) return base;
  return {
    ...base,
    ...demoHosted(simulation),
    watch: { ...base.watch, addresses: [...simulation.wallets.slice(0, 2).flatMap(watched), HOT_WALLET] },
    evm: { ...base.evm, websocket: true, proofProbe: true },
    endpoints: { [VmConfigs.id]: { enabled: true }, [TxFee.id]: { enabled: true } },
    nodes: simulation.nodes.map(({ name, url }, index) => ({
      ...node,
      name,
      url,
      labels: { site: SITES[index % SITES.length] ?? "" },
      subnets: simulation.subnets.map(({ id }) => id),
    })),
    subnets: simulation.subnets.map(({ id, name, chainId, chainName }) => ({
      id,
      name,
      chains: [{ id: chainId, name: chainName, evm: true }],
    })),
  };
}

/** A wallet's addresses on P and C, each under a name of its own. */
function watched({ name, p, c }: Simulation["wallets"][number]): Config["watch"]["addresses"] {
  return [
    { address: p, name: `${name}-P`, low: 1, chains: [] },
    { address: c, name: `${name}-C`, chains: [] },
  ];
}

const COLLECTION = "0x5FbDB2315678AFECb367f032D93f642f64180aA4";
const WALLET = "avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae";

/** The demo's configuration of the simulated hosted services: a sample of everything; empty without services. */
function demoHosted({ hosted, nodes }: Simulation): Pick<Config, "dataApi" | "metricsApi"> {
  if (hosted === undefined) return {};
  const account = { chain: "43114", address: DEMO_ACCOUNT };
  const connection = { keyHeader: "x-glacier-api-key", budget: PUBLIC_BUDGET };
  return {
    dataApi: {
      ...connection,
      url: hosted.dataUrl,
      wanted: {
        ...NOTHING_WANTED,
        avaxAssetId: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
        validators: nodes.slice(0, 3).map(({ nodeId }) => nodeId),
        wallets: [WALLET],
        utxoChains: ["p-chain", "x-chain"],
        blockChains: ["p-chain"],
        accounts: [account],
        names: new Map([
          [WALLET, "treasury"],
          [DEMO_ACCOUNT, "hot-wallet"],
        ]),
        chains: ["43114", "99001"],
        tokens: [{ chain: "43114", address: tokenOf("43114") }],
        contracts: [{ chain: "43114", address: COLLECTION }],
        collections: [{ chain: "43114", address: COLLECTION }],
        nfts: [{ chain: "43114", address: COLLECTION, tokenId: "1" }],
      },
    },
    metricsApi: {
      ...connection,
      url: hosted.metricsUrl,
      wanted: { ...NOTHING_WANTED, metricChains: ["43114", "total"], intervals: ["day", "hour"] },
    },
  };
}
