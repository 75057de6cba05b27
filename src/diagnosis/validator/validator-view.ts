import type { RewardState } from "../../topics/validators/reward-verdict.ts";

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

/** A polled node's view of the validator. The validator's own node reports what its peers observe. */
export type Observer = {
  readonly node: string;
  readonly isSelf: boolean;
  readonly uptime: number | undefined;
  readonly connected: boolean | undefined;
  readonly budget: number | undefined;
};
