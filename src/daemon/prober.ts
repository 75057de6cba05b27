import type { Config, HostPattern, NodeConfig, ProbeConfig } from "../config/config.ts";
import { defaultNode } from "../config/default-config.ts";
import { PROBE_MODULES } from "../config/schema/probe-section.ts";
import { renderSamples } from "../exposition/render-samples.ts";
import type { DaemonFunctions, EncodedExposition, ProbeRefusal, ProbeRequest } from "../http/http-dependencies.ts";
import { negotiate } from "../http/negotiate.ts";
import { PROBE_FAMILIES, type ProbeEvents, type CountedRefusal } from "../topics/exporter/probe-events.ts";
import { probe, type Probed, type ProbeOptions } from "../poller/probe/probe.ts";

export type ProbeQuestion = Pick<ProbeRequest, "target" | "module" | "timeout">;

type ProberOptions = Omit<ProbeOptions, "config" | "node" | "module" | "limit"> & {
  /** The current configuration. */
  readonly config: () => Config;
  readonly probes: ProbeEvents;
};

/**
 * Probes nodes on request: only those that the configuration allows, and a limited number at the same time. Requests about a node
 * that come while it is probed share the probe, which costs the node some thirty requests: several scrapers cost as much as one.
 */
export type Prober = Pick<DaemonFunctions, "modules" | "probe"> & {
  /** Number of probes in progress. */
  readonly running: () => number;
  readonly ask: (question: ProbeQuestion) => Promise<{ readonly probed: Probed } | ProbeRefusal>;
};

/** Creates a prober without a probe in progress. */
export function createProber({ config, probes, ...options }: ProberOptions): Prober {
  /** Probes in progress, and when each ends at the latest. */
  const running = new Set<{ readonly of: string; readonly end: number; readonly probed: Promise<Probed> }>();

  function refusal(refused: CountedRefusal, why: string): ProbeRefusal {
    probes.refused(refused);
    return { refused, why };
  }

  const ask: Prober["ask"] = async ({ target, module: wanted, timeout }) => {
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
  };

  return {
    modules: () => Object.keys(config().probe.modules),
    running: () => running.size,
    ask,
    async probe(request) {
      const answer = await ask(request);
      return "refused" in answer ? answer : expose(answer.probed, request);
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

const NOT_ALLOWED =
  "Allowed targets: configured nodes, by name or by URL, and hosts that match probe.targets of the configuration.";

/**
 * Resolves the target of a probe: a configured node by its name or URL, else a URL whose host and port the configuration allows.
 * Anything else is refused, because a client of the exporter must not reach the rest of its network: as `forbidden` by this
 * configuration, or as `malformed` for any.
 */
export function probeTarget({ nodes, subnets, probe }: Config, text: string): { node: NodeConfig } | ProbeRefusal {
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

function expose(probed: Probed, { accept, acceptEncoding, debug }: ProbeRequest): EncodedExposition {
  const { format, gzip, contentType } = debug ? negotiate(undefined, undefined) : negotiate(accept, acceptEncoding);
  const extra = PROBE_FAMILIES.map((each) => ({ family: each, text: renderSamples(each, {}, each.read(probed)).text }));
  const body = probed.exposition.scrape({ format, gzip, extra });
  if (!debug) return { contentType, contentEncoding: gzip ? "gzip" : undefined, chunks: [body] };
  const report = Buffer.from(reportOf(probed));
  return { contentType: "text/plain; charset=utf-8", contentEncoding: undefined, chunks: [report, body] };
}

/** The result of a probe as text, for `debug`. */
function reportOf({ success, seconds, polls, failures }: Probed): string {
  const unpolled = failures.filter(({ endpoint }) => !polls.some(({ id }) => id === endpoint));
  return [
    `The probe ${success ? "succeeded" : "failed"} in ${seconds.toFixed(3)} s.`,
    "",
    ...polls.map(({ id, key, state, error }) => {
      const words = error === undefined ? "" : `: ${error.reason}: ${error.message}`;
      return `${STATES[state].padEnd(14)}${id}${key === "" ? "" : ` ${key}`}${words}`;
    }),
    ...unpolled.map(({ endpoint, reason }) => `${"not polled".padEnd(14)}${endpoint}: ${reason}`),
    "",
    "",
  ].join("\n");
}

const STATES = { ok: "answered", failing: "failed", waiting: "too late", unsupported: "unsupported" } as const;
