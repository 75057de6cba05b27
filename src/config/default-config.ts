import type { Config, EvmSettings } from "./config.ts";

export const DEFAULT_EVM: EvmSettings = { batch: 40, websocket: false, proofProbe: false, maxBlocksPerPoll: 50 };
export const DEFAULT_WATCH: Config["watch"] = {
  validators: [],
  validatorsByNetwork: {},
  witnesses: 5,
  addresses: [],
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
  };
}
