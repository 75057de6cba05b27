import { createClient, type Client, type OnNodeId } from "../../api/transport/client.ts";
import type { Connection } from "../../api/transport/connection.ts";
import type { Reason } from "../../api/reasons.ts";
import type { Config, NodeConfig, ProbeModule } from "../../config/config.ts";
import { ALWAYS_PROBED } from "../../config/schema/probe-modules.ts";
import { createExposition, type Exposition } from "../../exposition/exposition.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { partOf } from "../../catalogue/part.ts";
import type { Clock } from "../../runtime/clock.ts";
import { createPoller, type Poller } from "../poller.ts";
import type { Log, PollEvents } from "../../runtime/events.ts";
import type { EndpointStatus, Status } from "../poll/status.ts";

export type ProbeOptions = {
  readonly config: Config;
  /** The node that is looked at; it need not be among those of the configuration. */
  readonly node: NodeConfig;
  readonly module: ProbeModule;
  /** Seconds after which it ends, whatever is still missing. */
  readonly limit: number;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PollEvents;
  /** Replaced in tests. */
  readonly connect?: (connection: Connection, onNodeId: OnNodeId) => Client;
};

/** What one look at a node brought. */
export type Probed = {
  readonly exposition: Exposition;
  /** Whether the node answered everything that it was asked. */
  readonly success: boolean;
  readonly seconds: number;
  readonly polls: readonly EndpointStatus[];
  /** Questions without an answer, by endpoint and reason. */
  readonly failures: readonly ProbeFailure[];
};

export type ProbeFailure = { readonly endpoint: string; readonly reason: Reason; readonly polls: number };

/** Seconds between two looks at whether everything is answered. */
const BEAT = 0.02;
/** Seconds beyond the limit, in which polls that reach it end in order. */
const GRACE = 0.1;
/** A cadence so slow that nothing is asked twice. Seconds. */
const ONCE = 604_800;
/** Seconds that a request gets at least, so that it fails as too late and not as impossible. */
const LEAST = 0.001;

/**
 * Asks a node everything that a module names, once, as the daemon would, and ends with what was answered within the limit.
 * Nothing is taken from an earlier look and nothing is kept for a later one.
 */
export async function probe(options: ProbeOptions): Promise<Probed> {
  const { config, node, module, limit, clock } = options;
  const started = clock.elapsed();
  const part = module.network ? "network-probe" : "node-probe";
  const catalogue = partOf(options.catalogue, part);
  const exposition = createExposition(catalogue.families);
  const poller = createPoller({
    ...options,
    catalogue,
    exposition,
    log: quiet(options.log),
    part,
    nodesOf: () => ({ own: [node], auxiliary: [] }),
    connect: within(options.connect ?? createClient, () => limit - (clock.elapsed() - started)),
  });
  try {
    poller.apply(asked(config, module, catalogue));
    await ended(poller, clock, () => clock.elapsed() - started > limit + GRACE);
    const status = poller.status();
    const polls = status.targets[0]?.endpoints ?? [];
    const failures = failuresOf(status, module, catalogue);
    const success = status.targets[0]?.up === true && failures.length === 0;
    return { exposition, success, seconds: clock.elapsed() - started, polls, failures };
  } finally {
    await poller.close();
  }
}

/** The configuration with what the module asks switched on, all else off, and nothing asked twice. */
function asked(config: Config, { endpoints: wanted }: ProbeModule, { endpoints }: Catalogue): Config {
  const listed = new Set<string>([...ALWAYS_PROBED, ...wanted]);
  const settings = endpoints.map(({ id }) => {
    const { timeout, enabled = true } = config.endpoints[id] ?? {};
    return [id, { every: ONCE, timeout, enabled: enabled && listed.has(id) }] as const;
  });
  return { ...config, evm: { ...config.evm, websocket: false }, endpoints: Object.fromEntries(settings) };
}

/** Clients whose requests end with the probe at the latest. */
function within(connect: NonNullable<ProbeOptions["connect"]>, left: () => number): typeof connect {
  return (connection, onNodeId) => {
    const client = connect(connection, onNodeId);
    return { ...client, within: (timeout, ask) => client.within(Math.max(LEAST, Math.min(timeout, left())), ask) };
  };
}

/** Resolves when there is nothing more to wait for, or it is too late. */
function ended(poller: Poller, clock: Clock, isTooLate: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const beat = (): void => {
    poller.tick();
    if (poller.busy() && !isTooLate()) clock.after(BEAT, beat);
    else resolve(undefined);
  };
  clock.after(0, beat);
  return promise;
}

function failuresOf(
  { targets, networks }: Status,
  { endpoints: wanted }: ProbeModule,
  { endpoints }: Catalogue,
): readonly ProbeFailure[] {
  const [target] = targets;
  const reasons = (target?.endpoints ?? []).flatMap(
    ({ id, state, error }): ReadonlyArray<readonly [string, Reason]> => {
      if (state === "waiting") return [[id, "timeout"]];
      return state === "failing" ? [[id, error?.reason ?? "internal"]] : [];
    },
  );
  // A node that is not done bootstrapping is not asked about its network, so nothing failed and nothing is known.
  const silent = target?.up === true && !networks.some(({ speaker }) => speaker === target.name);
  const unasked = endpoints.filter(({ id, scope }) => silent && scope === "network" && wanted.includes(id));
  const all = [...reasons, ...unasked.map(({ id }) => [id, "not_bootstrapped"] as const)];
  const counted = Map.groupBy(all, ([endpoint, reason]) => `${endpoint} ${reason}`);
  return [...counted.values()].flatMap((group) =>
    group.slice(0, 1).map(([endpoint, reason]) => ({ endpoint, reason, polls: group.length })),
  );
}

/** What a node does is in the answer to each probe, every few seconds; the log keeps defects. */
function quiet(log: Log): Log {
  // Methods of the logger need their object.
  const debug: Log["debug"] = (data, message) => log.debug(data, message);
  return { debug, info: debug, warn: debug, error: (data, message) => log.error(data, message) };
}
