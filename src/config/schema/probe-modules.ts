import type { ProbeModuleSection } from "./probe-module.ts";

/** The built-in modules of `/probe`, by endpoint ids. The first one is the default. */
export const PROBE_MODULES: Readonly<Record<string, ProbeModuleSection>> = {
  node: {
    endpoints: [
      ...["health", "health.readiness", "health.liveness", "health.subnet"],
      ...["platform.getHeight", "platform.getTimestamp", "platform.getBlockchainStatus", "evm.head"],
      ...["info.peers", "info.uptime", "info.uptime.subnet", "info.upgrades"],
      ...["info.getNodeIP", "info.getVMs", "info.getBlockchainID"],
    ],
    network: false,
  },
  validator: {
    endpoints: [
      ...["health", "info.peers", "info.uptime", "info.uptime.subnet", "info.upgrades"],
      ...["platform.getCurrentValidators", "platform.getCurrentValidators.watched", "evm.validators"],
    ],
    network: false,
  },
  evm: { endpoints: ["evm.head", "evm.identity", "evm.proof"], network: false },
  network: {
    endpoints: [
      ...["platform.getCurrentValidators", "info.peers", "info.upgrades", "info.acps", "evm.identity"],
      ...["platform.getValidatorFeeState", "platform.getCurrentSupply", "platform.getBlockchains"],
      ...["platform.getBalance", "evm.balances", "ledger.getUTXOs"],
    ],
    network: true,
  },
};

/** Endpoints of every module: the node's identity, its network, and whether it can be a reference node. */
export const ALWAYS_PROBED = [
  ...["info.getNodeID", "info.getNodeVersion", "info.getNetworkID", "info.getNetworkName"],
  "info.isBootstrapped",
] as const;

/** Endpoints that compare two polls; a probe polls once. */
export const NOT_PROBED: ReadonlySet<string> = new Set(["evm.blocks", "platform.getBlockByHeight"]);
