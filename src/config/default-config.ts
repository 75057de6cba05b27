import type { Config, NodeConfig } from "./config.ts";
import { configSchema } from "./schema/config-schema.ts";
import { nodeSection } from "./schema/node-section.ts";

// Nothing in a default has a checksum.
const noChecksum = (): Uint8Array => new Uint8Array(0);
const LOCAL_NODE = { name: "local", url: "http://127.0.0.1:9650" };

// Parsed once: making a schema costs some milliseconds.
const LOCAL: Config = configSchema(noChecksum).parse({ nodes: [LOCAL_NODE] });
const NODE = nodeSection(noChecksum).parse(LOCAL_NODE);

/** What is watched without a configuration: the node of this machine, with the schema's defaults. */
export function defaultConfig(): Config {
  return LOCAL;
}

/** A node of which a configuration gives name and URL alone, where no subnets are configured. */
export function defaultNode(name: string, url: string): NodeConfig {
  return { ...NODE, name, url, subnets: [] };
}

/** The sections of a file that does not name them. */
export const { evm: DEFAULT_EVM, watch: DEFAULT_WATCH, probe: DEFAULT_PROBE } = LOCAL;
