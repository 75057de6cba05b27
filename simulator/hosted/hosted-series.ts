import { chance } from "../encoding/ids.ts";
import { CHAIN_IDS, type HostedView } from "./hosted-world.ts";

/** Simulated Metrics API: time series, newest point first. */

/** Whether a metric is available only by day. */
export const isDaily = (metric: string): boolean => /^(cumulative|max|avg)|^(contracts|deployers)$/.test(metric);
export const isSubject = (chainId: string): boolean =>
  CHAIN_IDS.includes(chainId) || ["total", "mainnet", "testnet"].includes(chainId);

const SIZE: Readonly<Record<string, number>> = {
  activeAddresses: 37_738,
  activeSenders: 21_000,
  cumulativeTxCount: 900_000_000,
  cumulativeAddresses: 40_000_000,
  cumulativeContracts: 6_000_000,
  cumulativeDeployers: 300_000,
  contracts: 1200,
  deployers: 140,
  gasUsed: 8.5e11,
  txCount: 260_000,
  avgGps: 9.8e6,
  maxGps: 7.5e7,
  avgTps: 3.01,
  maxTps: 120,
  avgGasPrice: 2.6e10,
  maxGasPrice: 5e12,
  feesPaid: 1.2345678901234567e21,
};
export const METRICS = Object.keys(SIZE);

const SECONDS = { hour: 3600, day: 86_400, week: 604_800 } as const;
export type SeriesInterval = keyof typeof SECONDS | "month";

/** Starts of the interval that contains `at` and of those before it, newest first. Weeks start on Monday. */
function startsOf(interval: SeriesInterval, at: number, count: number): readonly number[] {
  if (interval === "month") {
    const date = new Date(at * 1000);
    return Array.from({ length: count }, (_, i) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - i, 1) / 1000);
  }
  // 1970 began on a Thursday, three days after a Monday.
  const offset = interval === "week" ? -3 * 86_400 : 0;
  const size = SECONDS[interval];
  const first = Math.floor((at - offset) / size) * size + offset;
  return Array.from({ length: count }, (_, i) => first - i * size);
}

const LENGTH: Readonly<Record<SeriesInterval, number>> = { hour: 24 * 60, day: 400, week: 60, month: 14 };

/** Size of a chain relative to the C-Chain; prices do not scale. */
function scaleOf(chainId: string): number {
  if (chainId === "total") return 3;
  return chainId === "43114" || chainId === "mainnet" ? 1 : 0.01;
}

/** Points from `from` (inclusive) to `to` (exclusive), newest first; `lag` is the delay of the data in seconds. */
export function pointsOf(
  view: HostedView,
  chainId: string,
  metric: string,
  interval: SeriesInterval,
  { lag, from = 0, to = Infinity }: { readonly lag: number; readonly from?: number; readonly to?: number },
): readonly object[] {
  const size = (SIZE[metric] ?? 1) * (metric.endsWith("Price") ? 1 : scaleOf(chainId));
  const now = view.now - lag;
  const all = startsOf(interval, now, LENGTH[interval]);
  const days = interval === "hour" ? 1 / 24 : interval === "week" ? 7 : interval === "month" ? 30 : 1;
  return all
    .filter((timestamp) => timestamp >= from && timestamp < to)
    .map((timestamp) => {
      const wave = 0.8 + 0.4 * chance(view.seed, chainId, metric, timestamp);
      const part = timestamp === all[0] && !isDaily(metric) ? (now - timestamp) / (days * 86_400) : 1;
      const value = metric.startsWith("cumulative") ? size * (1 + timestamp / 1e12) : size * wave * days * part;
      return { value: /Tps|Gps|Price|fees/.test(metric) ? value : Math.round(value), timestamp };
    });
}
