import type { RewardState } from "../../topics/validators/reward-verdict-alerts.ts";

/**
 * What is known about one validator at one instant, from the samples on /metrics. Unknown is `undefined`. Ratios are 0 to 1, times
 * Unix seconds, durations seconds, amounts AVAX.
 */
export type ValidatorView = {
  readonly at: number;
  /** `undefined` for a polled node whose ID is not known yet. */
  readonly nodeId: string | undefined;
  readonly network: string | undefined;
  /** The configured name, else that of the polled node. */
  readonly name: string | undefined;
  readonly reward: Verdict;
  /** The polled nodes with this node ID. */
  readonly nodes: readonly OwnNode[];
  /** Primary Network first. */
  readonly stakes: readonly StakeView[];
  readonly l1: readonly L1View[];
  readonly upgrade: UpgradeView;
};

/** `none`: there is no reward to wait for. */
export type VerdictState = RewardState | "unknown" | "none";

export type VerdictReason =
  /** The downtime budget decides. */
  | "budget"
  /** It would not be rewarded if the period ended now. */
  | "below_requirement"
  /** Too little stake observed enough uptime of the node. */
  | "rewarding_stake"
  | "left_early"
  | "ended"
  | "paid"
  | "denied"
  /** A member of a permissioned subnet, or of an elastic one whose requirement is not configured. */
  | "no_reward"
  | "only_l1"
  | "not_in_set"
  | "not_a_validator"
  /** No answer about the validator set. */
  | "no_set"
  | "no_node_id"
  | "no_requirement"
  | "no_observer"
  /** Only the node itself observes, and less than half of all stake has reported to it. */
  | "silent_peers";

export type Verdict = { readonly state: VerdictState; readonly reason: VerdictReason };

/** A membership in the Primary Network or in a permissioned or elastic subnet. */
export type StakeView = {
  readonly subnet: string;
  /** Configured name of the subnet. */
  readonly subnetName: string | undefined;
  readonly reward: Verdict;
  /** `undefined` while it is in the set. */
  readonly left: { readonly at: number | undefined; readonly early: boolean | undefined } | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Length of the next cycle of an auto-renewed validator; 0 when it leaves after this one. */
  readonly nextPeriod: number | undefined;
  readonly own: number | undefined;
  /** In the unit of the subnet. */
  readonly weight: number | undefined;
  readonly delegated: number | undefined;
  readonly delegators: number | undefined;
  readonly capacity: number | undefined;
  readonly fee: number | undefined;
  readonly potentialReward: number | undefined;
  readonly accruedFees: number | undefined;
  readonly rewardAddressMatches: boolean | undefined;
  readonly requirement: number | undefined;
  readonly wholeBudget: number | undefined;
  /** Medians of the observers. */
  readonly uptime: number | undefined;
  readonly budget: number | undefined;
  readonly attainable: number | undefined;
  readonly margin: number | undefined;
  /** Error of the budget where only the node's own peers are known, who report whole percents. */
  readonly tolerance: number | undefined;
  /** Lowest budget first. */
  readonly observers: readonly Observer[];
};

/** A polled node's view of the validator. The validator's own node reports what its peers observe. */
export type Observer = {
  readonly node: string;
  readonly isSelf: boolean;
  readonly uptime: number | undefined;
  readonly connected: boolean | undefined;
  readonly budget: number | undefined;
};

/** A polled node of the validator, and what it reports about itself. */
export type OwnNode = {
  readonly node: string;
  readonly up: boolean | undefined;
  readonly healthy: boolean | undefined;
  readonly validates: boolean | undefined;
  readonly version: string | undefined;
  readonly upgradeReady: boolean | undefined;
  /** When a node that is not ready leaves the network's chain. */
  readonly forksOffAt: number | undefined;
  /** Share of stake that reported an uptime, and whose uptime is enough for the reward. */
  readonly observing: number | undefined;
  readonly rewarding: number | undefined;
  /** Uptimes that its peers report, in whole percents. */
  readonly least: number | undefined;
  readonly median: number | undefined;
  readonly most: number | undefined;
  /** The same by `info.uptime`. */
  readonly reportedRewarding: number | undefined;
  readonly reportedUptime: number | undefined;
};

export type L1View = {
  readonly subnet: string;
  readonly subnetName: string | undefined;
  readonly validationId: string;
  readonly active: boolean | undefined;
  readonly balance: number | undefined;
  readonly runway: number | undefined;
  readonly weight: number | undefined;
  readonly start: number | undefined;
  /** By the L1's own chain. */
  readonly observers: ReadonlyArray<Omit<Observer, "budget">>;
};

export type UpgradeView = {
  /** Upgrade time of the network, ahead or past. */
  readonly time: number | undefined;
  readonly name: string | undefined;
  /** Share of all stake that is ready. */
  readonly readyStake: number | undefined;
  /** Whether every polled node of the validator is ready. */
  readonly ready: boolean | undefined;
};
