import { createExposition, type Exposition } from "../../exposition/exposition.ts";
import { createClient, type Connect } from "../../api/transport/client.ts";
import type { Config, NodeConfig, ProbeModule } from "../../config/config.ts";
import { ALWAYS_PROBED } from "../../config/schema/probe-section.ts";
import type { Catalogue } from "../../topics/define/catalogue.ts";
import { partOf } from "../../topics/define/part.ts";
import { createPoller, type PollerOptions } from "../poller.ts";
import type { Log } from "../../runtime/log.ts";
import type { EndpointStatus, Status } from "../poll/status.ts";
import type { ProbeFailure, ProbeResult } from "../../topics/exporter/probe-events.ts";

export type ProbeOptions = Pick<PollerOptions, "catalogue" | "clock" | "log" | "events" | "connect"> & {
  readonly config: Config;
  /** The probed node, which need not be a configured one. */
  readonly node: NodeConfig;
  readonly module: ProbeModule;
  /** Seconds after which the probe ends, complete or not. */
  readonly limit: number;
};

export type Probed = ProbeResult & { readonly exposition: Exposition; readonly polls: readonly EndpointStatus[] };

/** Seconds between two checks whether the probe is complete. */
const BEAT = 0.02;
/** Seconds beyond the limit in which polls end with a timeout of their own. */
const GRACE = 0.1;
/** A cadence so slow that no poll is repeated. Seconds. */
const ONCE = 604_800;
/** Least deadline of a request in seconds: one after the limit fails with a timeout. */
const LEAST = 0.001;

/**
 * Polls the endpoints of a module once on a node, like the daemon, and returns the answers within the limit. Probes
 * share no state.
 */
export async function probe(options: ProbeOptions): Promise<Probed> {
  const { config, node, module, limit, clock } = options;
  const started = clock.elapsed();
  const left = (): number => limit - (clock.elapsed() - started);
  const part = module.network ? "network-probe" : "node-probe";
  const catalogue = partOf(options.catalogue, part);
  const exposition = createExposition(catalogue.families);
  const poller = createPoller({
    ...options,
    catalogue,
    exposition,
    log: quiet(options.log),
    part,
    nodesOf: () => [node],
    connect: within(options.connect ?? createClient, left),
  });
  try {
    poller.apply(configOf(config, module, catalogue));
    for (poller.tick(); poller.busy() && left() > -GRACE; poller.tick())
      await new Promise<void>((resolve) => clock.after(BEAT, resolve));
    poller.concluded();
    poller.collect();
    const status = poller.status();
    const polls = status.targets[0]?.endpoints ?? [];
    const failures = failuresOf(status, module, catalogue);
    const success = status.targets[0]?.up === true && failures.length === 0;
    return { exposition, success, seconds: clock.elapsed() - started, polls, failures };
  } finally {
    await poller.close();
  }
}

/** The configuration with only the endpoints of the module enabled, each polled once. */
function configOf(config: Config, { endpoints: wanted }: ProbeModule, { endpoints }: Catalogue): Config {
  const listed = new Set<string>([...ALWAYS_PROBED, ...wanted]);
  const settings = endpoints.map(({ id }) => {
    const { timeout, enabled = true } = config.endpoints[id] ?? {};
    return [id, { every: ONCE, timeout, enabled: enabled && listed.has(id) }] as const;
  });
  return { ...config, evm: { ...config.evm, websocket: false }, endpoints: Object.fromEntries(settings) };
}

/** Limits the deadlines of a client's requests to the remaining time of the probe. */
function within(connect: Connect, left: () => number): Connect {
  return (...given) => {
    const client = connect(...given);
    return { ...client, within: (timeout, ask) => client.within(Math.max(LEAST, Math.min(timeout, left())), ask) };
  };
}

function failuresOf(
  { targets, networks }: Status,
  { endpoints: wanted }: ProbeModule,
  { endpoints }: Catalogue,
): readonly ProbeFailure[] {
  const [target] = targets;
  const unanswered = (target?.endpoints ?? []).filter(({ state }) => state === "waiting" || state === "failing");
  const reasons = unanswered.map(
    ({ id, state, error }) => [id, state === "waiting" ? "timeout" : (error?.reason ?? "internal")] as const,
  );
  // A node that is still bootstrapping is not polled about its network: no poll failed, but the answers are missing.
  const isNoReference = target?.up === true && !networks.some(({ referenceNode }) => referenceNode === target.name);
  const unasked = endpoints.filter(({ id, scope }) => isNoReference && scope === "network" && wanted.includes(id));
  const all = [...reasons, ...unasked.map(({ id }) => [id, "not_bootstrapped"] as const)];
  const counted = new Map<string, ProbeFailure>();
  for (const [endpoint, reason] of all) {
    const key = `${endpoint} ${reason}`;
    counted.set(key, { endpoint, reason, polls: 1 + (counted.get(key)?.polls ?? 0) });
  }
  return [...counted.values()];
}

/** Logs all but errors at level debug: each probe reports the state of its node, and probes come every few seconds. */
function quiet(log: Log): Log {
  // Methods of the logger need their object.
  const debug: Log["debug"] = (data, message) => log.debug(data, message);
  return { debug, info: debug, warn: debug, error: (data, message) => log.error(data, message) };
}
