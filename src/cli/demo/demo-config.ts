import { VmConfigs } from "../../api/node/admin.ts";
import { TxFee } from "../../api/node/info.ts";
import type { Config } from "../../config/config.ts";
import { defaultConfig } from "../../config/default-config.ts";
import type { Simulation } from "../../../simulator/simulate.ts";
import { DEMO_ACCOUNT, demoHosted } from "./demo-hosted.ts";

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
