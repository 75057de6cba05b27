import type { Config } from "../config/config.ts";
import type { Endpoint } from "../api/endpoint.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Topic } from "../catalogue/metric.ts";
import type { Remit } from "../catalogue/remit.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log, PollEvents } from "../runtime/events.ts";
import type { Network } from "./planning.ts";
import type { Reader } from "./reader.ts";
import type { Runner } from "./runner.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { Store } from "./store.ts";
import type { Target } from "./target.ts";

/** Everything that the poller knows and works with. The functions of this folder are given it; only the engine makes one. */
export type Fleet = {
  /** What is within the remit. */
  readonly catalogue: Catalogue;
  readonly remit: Remit;
  /** What a node of another shard is asked. */
  readonly helperEndpoints: ReadonlyArray<Endpoint<unknown>>;
  readonly topics: {
    readonly node: readonly Topic[];
    readonly network: readonly Topic[];
    readonly fleet: readonly Topic[];
  };
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PollEvents;
  readonly store: Store;
  readonly reader: Reader;
  readonly runner: Runner;
  readonly subscriptions: Subscriptions;
  /** By name, in the order of the configuration; those that help come last. */
  readonly targets: Map<string, Target>;
  /** Name of the speaker by network. */
  readonly speakers: Map<string, string>;
  /** Networks with answers that were not compared yet, and when each was compared last (Unix seconds). */
  readonly uncompared: Set<string>;
  readonly comparedAt: Map<string, number>;
  /** Highest last answer about the P-Chain's height, by network. */
  readonly highest: Map<string, number>;
  config: Config;
  /** Nodes that the last change of the configuration has new questions for: what they are asked first is spread over a while. */
  joining: number;
  networks: ReadonlyMap<string, Network>;
  /** Soon takes in what was learned: labels, watch lists, networks, and with them what is to be asked of whom. */
  readonly settle: () => void;
};
