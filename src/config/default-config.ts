import type { Config } from "./config.ts";

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
        aliases: [],
        headers: {},
        connections: 2,
        maxResponseBytes: 32 * 1024 * 1024,
      },
    ],
    subnets: [],
    watch: { validators: [], witnesses: 5 },
    endpoints: {},
  };
}
