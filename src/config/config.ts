import type { z } from "zod";
import type { configSchema } from "./schema/config-schema.ts";

/**
 * A validated configuration, as the schema parses it from a file. Durations are in seconds and sizes in bytes. Defaults are
 * filled in and secrets are resolved. The schema documents each option beside its default.
 */
export type Config = DeepReadonly<z.output<typeof configSchema>>;

/** One polled node. `subnets` holds the IDs of the configured subnets that it serves. */
export type NodeConfig = Config["nodes"][number];

/** A subnet or L1 with its chains. */
export type SubnetConfig = Config["subnets"][number];

/** One hosted service: its URL, its request budget and the data to request. */
export type HostedConfig = NonNullable<Config["dataApi"] | Config["metricsApi"]>;

/** Settings of `/probe`. */
export type ProbeConfig = Config["probe"];

/** Hosts and a port that the configuration allows to probe. `host` is in lower case; `*` in it matches any characters except a dot. */
export type HostPattern = ProbeConfig["targets"][number];

/** The endpoints of a probe. With `network` the probe exports facts of the whole network and none of the node itself. */
export type ProbeModule = ProbeConfig["modules"][string];

/** The type with all nested properties and lists readonly: zod infers mutable types. */
export type DeepReadonly<T> =
  T extends ReadonlyMap<unknown, unknown>
    ? T
    : T extends ReadonlyArray<infer Item>
      ? ReadonlyArray<DeepReadonly<Item>>
      : T extends object
        ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
        : T;
