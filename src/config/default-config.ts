import type { Config, NodeConfig } from "./config.ts";
import { configSchema } from "./schema/config-schema.ts";
import { nodeSection } from "./schema/node-section.ts";

const LOCAL_NODE = { name: "local", url: "http://127.0.0.1:9650" } as const;

/**
 * A host name that is the same after a restart and that no other machine has: not that of a machine without a name, nor the number
 * of a container.
 */
const LASTING_NAME = /^(?!localhost(?:\.|$)|[0-9a-f]{12}$)[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * The name of the node on this machine: that of the machine, because exporters on several machines, each without a configuration, can
 * be in one scrape job, whose rules take nodes of one name for one node.
 */
export function localName(hostname: string): string {
  return LASTING_NAME.test(hostname) ? hostname : LOCAL_NODE.name;
}

// Parsed when it is first needed and once: it takes some 20 ms of a start.
let local: Config | undefined;
let node: Omit<NodeConfig, "subnets"> | undefined;

/** The configuration used without a file: the node on this machine under this name, with the schema's defaults. */
export function defaultConfig(name: string = LOCAL_NODE.name): Config {
  local ??= configSchema.parse({ nodes: [LOCAL_NODE] });
  return { ...local, nodes: local.nodes.map((each) => ({ ...each, name })) };
}

/** A node with this name and URL, all other options at their defaults, and no subnets. */
export function defaultNode(name: string, url: string): NodeConfig {
  return { ...(node ??= nodeSection.parse(LOCAL_NODE)), name, url, subnets: [] };
}
