import type { Period } from "./period.ts";
import type { Incident } from "./incidents.ts";

/** A report as a value, which text and HTML show. `undefined` is unknown. Times are Unix seconds, lengths seconds. */
export type Report = {
  readonly period: Period;
  readonly nodes: readonly NodeRow[];
  readonly validators: readonly ValidatorRow[];
  readonly balances: readonly BalanceRow[];
  readonly upgrades: readonly UpgradeRow[];
  /** Pages and tickets without those that others explain; `undefined` where this Prometheus has no rules of the exporter. */
  readonly incidents: readonly Incident[] | undefined;
  readonly totals: Totals;
  readonly totalsBefore: Totals;
};

export type Totals = {
  /** Share of the known time in which the nodes answered; `undefined` without any sample. */
  readonly availability: number | undefined;
  /** Of all nodes together. */
  readonly unknown: number | undefined;
  readonly pages: number | undefined;
  readonly tickets: number | undefined;
  /** The longest page or ticket. */
  readonly longest: number | undefined;
};

export type NodeRow = {
  readonly node: string;
  readonly network: string | undefined;
  readonly availability: number | undefined;
  readonly availabilityBefore: number | undefined;
  /** Time without an answer, as far as it is known. */
  readonly down: number;
  /** Time without samples. */
  readonly unknown: number;
  /** The last one first. */
  readonly versions: readonly string[];
  readonly isReady: boolean | undefined;
};

export type RewardState = "safe" | "at risk" | "lost" | "unknown";

export type ValidatorRow = {
  readonly nodeId: string;
  readonly name: string | undefined;
  readonly network: string;
  readonly uptime: number | undefined;
  readonly requirement: number | undefined;
  /** Downtime that is left; negative when the reward is lost. */
  readonly left: number | undefined;
  readonly whole: number | undefined;
  /** Downtime in this period. */
  readonly used: number | undefined;
  readonly reward: number | undefined;
  readonly state: RewardState;
  readonly end: number | undefined;
  /** It is staked again at the end. */
  readonly renews: boolean;
};

export type BalanceRow = {
  readonly subnet: string;
  readonly validator: string;
  readonly network: string;
  /** AVAX. */
  readonly balance: number | undefined;
  readonly runway: number | undefined;
};

export type UpgradeRow = { readonly network: string; readonly at: number; readonly readyStake: number | undefined };

/** Stake ends within this time are listed: four weeks. */
export const ENDS_AHEAD = 28 * 86_400;
