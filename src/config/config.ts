import type { z } from "zod";
import type { DeepReadonly } from "./base/deep-readonly.ts";
import type { configSchema } from "./schema/config-schema.ts";

/**
 * A validated configuration: what the schema makes of a file. Every duration is in seconds, every size in bytes, every default
 * filled in, every secret resolved. What an option means is written in the schema, beside its default.
 */
export type Config = DeepReadonly<z.output<ReturnType<typeof configSchema>>>;

/** One polled node. `subnets` holds the IDs of the configured subnets that it serves. */
export type NodeConfig = Config["nodes"][number];

/** A subnet or L1 with its chains. */
export type SubnetConfig = Config["subnets"][number];

/** One hosted service: where it is, what may be spent and what is wanted of it. */
export type HostedConfig = NonNullable<Config["dataApi"] | Config["metricsApi"]>;

/** Changes to the defaults of one endpoint. */
export type EndpointSettings = Config["endpoints"][string];

/** How `/probe` looks at nodes when it is asked. */
export type ProbeConfig = Config["probe"];

/** Hosts and a port that may be probed. `host` is in lower case and may hold `*` for any characters but a dot. */
export type HostPattern = ProbeConfig["targets"][number];

/** What a probe asks. `network`: the node is asked about its whole network, and nothing is shown of the node itself. */
export type ProbeModule = ProbeConfig["modules"][string];
