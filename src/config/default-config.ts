import type { Config, NodeConfig } from "./config.ts";
import { configSchema } from "./schema/config-schema.ts";
import { nodeSection } from "./schema/node-section.ts";

// No default value contains a checksum.
const noChecksum = (): Uint8Array => new Uint8Array(0);
const LOCAL_NODE = { name: "local", url: "http://127.0.0.1:9650" };

// Parsed once, because building a schema takes a few milliseconds.
const LOCAL: Config = configSchema(noChecksum).parse({ nodes: [LOCAL_NODE] });
const NODE = nodeSection(noChecksum).parse(LOCAL_NODE);

/** The configuration used without a file: the node on this machine, with the schema's defaults. */
export function defaultConfig(): Config {
  return LOCAL;
}

/** A node with this name and URL, all other options at their defaults, and no subnets. */
export function defaultNode(name: string, url: string): NodeConfig {
  return { ...NODE, name, url, subnets: [] };
}

/** The defaults of optional sections. */
export const { evm: DEFAULT_EVM, watch: DEFAULT_WATCH, probe: DEFAULT_PROBE } = LOCAL;
