import type { Config } from "./config.ts";
import { configSchema } from "./schema/config-schema.ts";

// Nothing in it has a checksum. Made once: a schema costs some milliseconds.
const LOCAL: Config = configSchema(() => new Uint8Array(0)).parse({
  nodes: [{ name: "local", url: "http://127.0.0.1:9650" }],
});

/** What is watched without a configuration: the node of this machine, with the schema's defaults. */
export function defaultConfig(): Config {
  return LOCAL;
}

/** The sections of a file that does not name them. */
export const { evm: DEFAULT_EVM, watch: DEFAULT_WATCH, probe: DEFAULT_PROBE } = LOCAL;
