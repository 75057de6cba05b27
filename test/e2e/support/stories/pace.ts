import { catalogueOf } from "../../../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../../../src/definitions/topics.ts";

/**
 * How often everything happens at a factor of the fast clock. At factor 1 all values are the defaults of the exporter and those of
 * the shipped Prometheus configuration. Above, two processors set the limits: nothing happens more often than once in some
 * part of a real second, and deadlines are longer, so that a busy machine causes no failure.
 */

/** Real seconds between two polls of an endpoint, scrapes or evaluations, at least. */
const SHORTEST = 1;
/** Real seconds of a deadline, at least, on a fast clock. */
const PATIENCE = 2;

/** Fast seconds between two scrapes and between two evaluations, by the shipped configuration. */
const DEFAULT_INTERVAL = 15;
/** Real seconds after which Prometheus sends a firing alert again, by default. */
const DEFAULT_RESEND = 60;

const real = (fastSeconds: number, factor: number): string =>
  `${Math.round(1000 * Math.max(fastSeconds / factor, factor === 1 ? 0 : SHORTEST))}ms`;

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
          every: `${Math.max(every, SHORTEST * factor)}s`,
          timeout: `${Math.max(timeout, PATIENCE * factor)}s`,
        },
      ]),
  );
}

/** Fast seconds between two steps of each stage, for the table. */
export function resolution(factor: number): string {
  const step = Math.max(DEFAULT_INTERVAL, factor === 1 ? 0 : SHORTEST * factor);
  const cadence = factor === 1 ? "default cadences" : `default cadences, but at least ${SHORTEST * factor} s`;
  return `1 real second is ${factor} s. Scrape and evaluation every ${step} s; endpoints: ${cadence}`;
}
