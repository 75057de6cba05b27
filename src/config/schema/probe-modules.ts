import type { ProbeModuleSection } from "./probe-module.ts";

/** The modules of `/probe` that are there without being configured: what each asks, by endpoint id. The first is the default. */
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

/** What every module asks too: who answers, of which network, and whether it can speak for it. */
export const ALWAYS_PROBED = [
  ...["info.getNodeID", "info.getNodeVersion", "info.getNetworkID", "info.getNetworkName"],
  "info.isBootstrapped",
] as const;

/** Endpoints that follow what happens between two polls: a probe has only one. */
export const NOT_PROBED: ReadonlySet<string> = new Set(["evm.blocks", "platform.getBlockByHeight"]);

/** Endpoints whose answers are facts of the whole network alone: a module without `network: true` shows nothing of them. */
export const NETWORK_PROBED: ReadonlySet<string> = new Set([
  ...["info.acps", "info.getTxFee", "platform.getValidatorFeeState", "platform.getCurrentSupply"],
  ...["platform.getBlockchains", "platform.getBalance", "evm.balances", "ledger.getUTXOs"],
]);
