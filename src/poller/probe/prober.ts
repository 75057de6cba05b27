import type { Config, ProbeConfig } from "../../config/config.ts";
import { PROBE_MODULES } from "../../config/schema/probe-modules.ts";
import type { ProbeEvents, Refusal } from "../../self/probe-events.ts";
import { probe, type Probed, type ProbeOptions } from "./probe.ts";
import { probeTarget } from "./probe-target.ts";

/** A request to `/probe`. */
export type ProbeQuestion = {
  readonly target: string;
  /** The first module when left out. */
  readonly module: string | undefined;
  /** The timeout of the client, seconds. */
  readonly timeout: number | undefined;
};

type ProbeAnswer = { readonly probed: Probed } | { readonly refused: Refusal; readonly why: string };

export type Prober = {
  readonly ask: (question: ProbeQuestion) => Promise<ProbeAnswer>;
  /** Names of the modules, the default one first. */
  readonly modules: () => readonly string[];
  /** Probes under way. */
  readonly running: () => number;
};

export type ProberOptions = Omit<ProbeOptions, "config" | "node" | "module" | "limit"> & {
  /** The current configuration. */
  readonly config: () => Config;
  readonly probes: ProbeEvents;
};

/** Probes nodes on request: only those that the configuration allows, and a limited number at the same time. */
export function createProber({ config, probes, ...options }: ProberOptions): Prober {
  let running = 0;

  function refusal(refused: Refusal, why: string): ProbeAnswer {
    probes.refused(refused);
    return { refused, why };
  }

  return {
    modules: () => Object.keys(config().probe.modules),
    running: () => running,
    async ask({ target, module: wanted, timeout }) {
      const now = config();
      const { modules, concurrency } = now.probe;
      const name = wanted ?? DEFAULT_MODULE;
      const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
      if (module === undefined)
        return refusal("module", `There is no such module. Modules: ${Object.keys(modules).join(", ")}`);
      const found = probeTarget(now, target);
      if ("refused" in found) return refusal(found.refused, found.why);
      if (running >= concurrency) return refusal("busy", `Limit of ${concurrency} probes at once reached.`);
      running++;
      try {
        const limit = limitOf(now.probe, timeout);
        const probed = await probe({ ...options, config: now, node: found.node, module, limit });
        probes.ended(name, probed.seconds, probed.success);
        return { probed };
      } finally {
        running--;
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
