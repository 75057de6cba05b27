import type { Config, HostPattern, NodeConfig, ProbeConfig } from "../config/config.ts";
import { defaultNode } from "../config/default-config.ts";
import { PROBE_MODULES } from "../config/schema/probe-section.ts";
import type { ProbeEvents, Refusal } from "../topics/exporter/probe-events.ts";
import { probe, type Probed, type ProbeOptions } from "../poller/probe/probe.ts";

/** A request to `/probe`. */
export type ProbeQuestion = {
  readonly target: string;
  /** The first module when left out. */
  readonly module: string | undefined;
  /** The timeout of the client, seconds. */
  readonly timeout: number | undefined;
};

type ProbeAnswer = { readonly probed: Probed } | { readonly refused: Refusal; readonly why: string };

export type Prober = ReturnType<typeof createProber>;

export type ProberOptions = Omit<ProbeOptions, "config" | "node" | "module" | "limit"> & {
  /** The current configuration. */
  readonly config: () => Config;
  readonly probes: ProbeEvents;
};

/**
 * Probes nodes on request: only those that the configuration allows, and a limited number at the same time. Requests about a node
 * that come while it is probed share the probe, which costs the node some thirty requests: several scrapers cost as much as one.
 */
export function createProber({ config, probes, ...options }: ProberOptions) {
  /** Probes in progress, and when each ends at the latest. */
  const running = new Set<{ readonly of: string; readonly end: number; readonly probed: Promise<Probed> }>();

  function refusal(refused: Refusal, why: string): ProbeAnswer {
    probes.refused(refused);
    return { refused, why };
  }

  return {
    /** Names of the modules, the default one first. */
    modules: () => Object.keys(config().probe.modules),
    /** Probes in progress. */
    running: () => running.size,
    async ask({ target, module: wanted, timeout }: ProbeQuestion): Promise<ProbeAnswer> {
      const now = config();
      const { modules, concurrency } = now.probe;
      const name = wanted ?? DEFAULT_MODULE;
      const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
      if (module === undefined) return refusal("module", `Unknown module. Modules: ${Object.keys(modules).join(", ")}`);
      const found = probeTarget(now, target);
      if ("refused" in found) return refusal(found.refused, found.why);
      const { node } = found;
      const limit = limitOf(now.probe, timeout);
      const end = options.clock.elapsed() + limit;
      const of = `${name} ${node.name} ${node.url}`;
      // A client with a shorter timeout would not get the answer in time.
      const shared = [...running].find((each) => each.of === of && each.end <= end);
      if (shared !== undefined) return { probed: await shared.probed };
      if (running.size >= concurrency) return refusal("busy", `Limit of ${concurrency} probes at once reached.`);
      const own = { of, end, probed: probe({ ...options, config: now, node, module, limit }) };
      running.add(own);
      try {
        const probed = await own.probed;
        probes.ended(name, probed.seconds, probed.success);
        return { probed };
      } finally {
        running.delete(own);
      }
    },
  };
}

const DEFAULT_MODULE = Object.keys(PROBE_MODULES)[0] ?? "";

/** Least share of the client's timeout, for one so short that the offset would leave nothing. */
const SHORTEST_SHARE = 0.5;

/** Seconds for the probe: the client's timeout, less the offset for the response. */
export function limitOf({ timeout, timeoutOffset }: ProbeConfig, asked: number | undefined): number {
  return asked === undefined ? timeout : Math.max(asked - timeoutOffset, asked * SHORTEST_SHARE);
}

/** An allowed node, or the refusal: `forbidden` by this configuration, or `malformed` for any configuration. */
type ProbeTarget =
  { readonly node: NodeConfig } | { readonly refused: "forbidden" | "malformed"; readonly why: string };

const NOT_ALLOWED =
  "Allowed targets: configured nodes, by name or by URL, and hosts that match probe.targets of the configuration.";

/**
 * Resolves the target of a probe: a configured node by its name or URL, else a URL whose host and port the configuration allows.
 * Anything else is refused, because a client of the exporter must not reach the rest of its network.
 */
export function probeTarget({ nodes, subnets, probe }: Config, text: string): ProbeTarget {
  const named = nodes.find(({ name }) => name === text);
  if (named !== undefined) return { node: named };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    return { refused: "forbidden", why: `Unknown node name. ${NOT_ALLOWED}` };
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return { refused: "malformed", why: "The URL of a target must not have a user name, password, query or fragment." };
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  const configured = nodes.find((node) => node.url === base);
  if (configured !== undefined) return { node: configured };
  if (url.pathname !== "/" || !probe.targets.some((pattern) => matches(pattern, url)))
    return { refused: "forbidden", why: NOT_ALLOWED };
  // Like a configured node that has neither a network nor subnets of its own.
  const served = subnets.filter(({ network }) => network === undefined).map(({ id }) => id);
  return { node: { ...defaultNode(url.host, url.origin), subnets: served } };
}

function matches({ host, port }: HostPattern, url: URL): boolean {
  const asked = Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port);
  const parts = host.split("*").map((part) => part.replace(/[.[\]]/g, "\\$&"));
  return asked === port && new RegExp(`^${parts.join("[^.]+")}$`).test(url.hostname);
}
