import type { Config, NodeConfig } from "./config.ts";
import { configSchema } from "./schema/config-schema.ts";
import { nodeSection } from "./schema/node-section.ts";

const LOCAL_NODE = { name: "local", url: "http://127.0.0.1:9650" };

// Parsed when it is first needed and once: it takes some 20 ms of a start.
let local: Config | undefined;
let node: Omit<NodeConfig, "subnets"> | undefined;

/** The configuration used without a file: the node on this machine, with the schema's defaults. */
export function defaultConfig(): Config {
  return (local ??= configSchema.parse({ nodes: [LOCAL_NODE] }));
}

/** A node with this name and URL, all other options at their defaults, and no subnets. */
export function defaultNode(name: string, url: string): NodeConfig {
  return { ...(node ??= nodeSection.parse(LOCAL_NODE)), name, url, subnets: [] };
}
