import { where } from "../../../catalogue/selector.ts";
import { rewardVerdict } from "../../../topics/validators/reward-verdict.ts";
import { validator } from "../../../topics/validators/validator.ts";
import type { Mappings } from "./mappings.ts";
import { median } from "./selectors.ts";

type Matchers = { readonly network: string; readonly subnet: "primary"; readonly node_id?: string };

/** Downtime left of each validator, by network and node ID. Seconds; negative once the reward is lost. */
export function downtimeLeft(matchers: Matchers): string {
  return median(where(rewardVerdict.metrics.budget, matchers), "network, node_id");
}

/** Reward at the end of each validator's period, 0 where it is lost. An unknown budget is no lost reward. AVAX. */
export function rewardAtEnd(matchers: Matchers): string {
  const reward = where(validator.metrics.reward, matchers);
  return `${reward} * on (network, node_id) group_left () (${downtimeLeft(matchers)} >= bool 0) or ${reward}`;
}

export const LOST: Mappings = { 0: ["lost", "red"] };

/** Of a balance or its runway. */
export const RUN_OUT: Mappings = { 0: ["run out", "red"] };
