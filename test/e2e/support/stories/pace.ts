import { catalogueOf } from "../../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../../src/topics/all/topics.ts";

/**
 * How often everything happens at a factor of the fast clock. At factor 1 all values are the defaults of the exporter and those of
 * the shipped Prometheus configuration. Above, two processors set the limits, in real time: an endpoint is polled by its default
 * cadence, but not more often than that; what no alert reads is not polled; and deadlines are longer, so that a busy machine
 * causes no failure.
 */

/** Real seconds between two scrapes and evaluations, and of a deadline, at least. */
const SCRAPE = 1.5;
const DEADLINE = 2;

/** What alerts with a short `for` read. */
const OFTEN: ReadonlySet<string> = new Set([
  ...["health", "info.isBootstrapped", "platform.getHeight", "evm.head", "platform.getCurrentValidators.watched"],
]);
/** What no alert reads. Each endpoint is some ten series of each node. */
const NOT_POLLED: ReadonlySet<string> = new Set([
  ...["health.readiness", "evm.proof", "info.acps", "info.getBlockchainID", "info.getNetworkID", "info.getNodeIP"],
  ...["info.getVMs", "info.uptime.subnet", "platform.getBlockchains", "platform.getCurrentSupply"],
  "platform.getTimestamp",
]);

/** Real seconds between two polls, at least. */
const SHORTEST = { often: 2, others: 5 } as const;

/** Fast seconds between two scrapes and between two evaluations, by the shipped configuration. */
const DEFAULT_INTERVAL = 15;
/** Real seconds after which Prometheus sends a firing alert again, by default. */
const DEFAULT_RESEND = 60;

const real = (fastSeconds: number, factor: number): string =>
  `${Math.round(1000 * Math.max(fastSeconds / factor, factor === 1 ? 0 : SCRAPE))}ms`;

/** Intervals of Prometheus, in real time. */
export const prometheusIntervals = (factor: number) => ({
  scrape: real(DEFAULT_INTERVAL, factor),
  evaluation: real(DEFAULT_INTERVAL, factor),
  resend: real(DEFAULT_RESEND, factor),
});

/** Cadences and deadlines of the exporter's endpoints that differ from their defaults, in fast time. */
export function cadences(factor: number): Readonly<Record<string, object>> {
  if (factor === 1) return {};
  return Object.fromEntries(
    catalogueOf(TOPICS)
      .endpoints.filter(({ scope }) => scope !== "hosted")
      .map(({ id, every, timeout }) => [
        id,
        {
          every: `${Math.ceil(Math.max(every, (OFTEN.has(id) ? SHORTEST.often : SHORTEST.others) * factor))}s`,
          timeout: `${Math.ceil(Math.max(timeout, DEADLINE * factor))}s`,
          ...(NOT_POLLED.has(id) ? { enabled: false } : {}),
        },
      ]),
  );
}

/** The time resolution in fast seconds, for the table. */
export function resolution(factor: number): string {
  if (factor === 1) return "Real time: scrape and evaluation every 15 s, default cadences";
  const step = Math.max(DEFAULT_INTERVAL, SCRAPE * factor);
  const [often, others] = [SHORTEST.often * factor, SHORTEST.others * factor];
  return (
    `1 real second is ${factor} s. Scrape and evaluation every ${step} s; health, bootstrapping, heights and watched validators ` +
    `every ${often} s, other endpoints every ${others} s, or by their defaults where these are longer`
  );
}
