import type { Config, EvmSettings, ProbeConfig } from "./config.ts";
import { PROBE_MODULES } from "./probe-modules.ts";

export const DEFAULT_EVM: EvmSettings = { batch: 40, websocket: false, proofProbe: false, maxBlocksPerPoll: 50 };
export const DEFAULT_WATCH: Config["watch"] = {
  validators: [],
  validatorsByNetwork: {},
  witnesses: 5,
  addresses: [],
};

/** Configured nodes alone can be probed, and the built-in modules are there. */
export const DEFAULT_PROBE: ProbeConfig = {
  only: false,
  targets: [],
  concurrency: 50,
  timeout: 10,
  timeoutOffset: 0.5,
  modules: PROBE_MODULES,
};

/** What is watched without a configuration: the node of this machine. */
export function defaultConfig(): Config {
  return {
    nodes: [
      {
        name: "local",
        url: "http://127.0.0.1:9650",
        labels: {},
        healthTransport: "get",
        dialect: "auto",
        subnets: [],
        primaryChains: ["P", "X", "C"],
        aliases: [],
        headers: {},
        connections: 2,
        maxResponseBytes: 32 * 1024 * 1024,
      },
    ],
    subnets: [],
    watch: DEFAULT_WATCH,
    evm: DEFAULT_EVM,
    endpoints: {},
    probe: DEFAULT_PROBE,
  };
}
