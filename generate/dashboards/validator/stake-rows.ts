import { where } from "../../../src/topics/define/selector.ts";
import { rewardAddress } from "../../../src/topics/validators/reward-address.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { YES_NO, redBelow } from "../parts/format.ts";
import { type Row, bars, lines } from "../parts/panels.ts";
import { rewardAtEnd } from "../parts/rewards.ts";
import { column, dates, subnetName, table, usual, shares, spans } from "../parts/table.ts";
import {
  BY_VALIDATOR,
  PRIMARY_VALIDATOR,
  VALIDATOR,
  withNames,
  top,
  ofPrimaryValidator,
  ofValidator,
} from "../parts/selectors.ts";
import { hostedBlocks } from "../../../src/topics/hosted/hosted-blocks.ts";
import { hostedNodeRewards } from "../../../src/topics/hosted/hosted-node-rewards.ts";
import { hostedValidator } from "../../../src/topics/hosted/hosted-validator.ts";

const { metrics: staked } = validator;
const { metrics: paid } = rewardAddress;

/** Without members of L1s, which have no stake here; with validators that left the set. */
const inSet = `${ofValidator(staked.active)} and on (network, subnet, node_id) ${ofValidator(staked.start)} or ${ofValidator(staked.active)} == 0`;

/** Bars of the validators with the largest figures, without zeros. */
const largest = (expr: string) => `sort_desc(${withNames(`topk(12, max by (${BY_VALIDATOR}) (${expr}) > 0)`)})`;

export const stakeRow: Row = {
  title: "Stake, delegators and rewards",
  collapsed: true,
  legend: "{{name}}",
  panels: [
    table(
      "Stake and delegators",
      "What is staked on each validator, and until when? Stake, delegations, delegation fee and period of each chosen validator. Next cycle: length of the next cycle of an auto-renewed validator, 0 if it leaves after this one.",
      {
        width: 24,
        height: 10,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
        labels: usual("network", "subnet", "node_id"),
        more: [subnetName(`(${inSet})`), { expr: withNames(`(${inSet})`), labels: usual("name") }],
        columns: [
          column("In the set", inSet, { width: 85, mappings: YES_NO }),
          column("Stake (AVAX)", ofValidator(staked.weight), { width: 110, decimals: 2 }),
          column("Delegated", ofValidator(staked.delegated), { width: 90 }),
          column("Delegators", ofValidator(staked.delegators), { width: 95 }),
          shares("Fee", ofValidator(staked.fee), { width: 65 }),
          column("Weight", ofValidator(staked.subnetWeight), { width: 70 }),
          column("BLS key", ofValidator(staked.signer), { width: 75, mappings: YES_NO }),
          dates("Start", ofValidator(staked.start)),
          spans("Ends in", `${ofValidator(staked.end)} - time()`, { width: 105, thresholds: redBelow(ENDING_SOON) }),
          spans("Next cycle", ofValidator(staked.nextPeriod), { width: 100 }),
          shares("Compounded", ofValidator(staked.compound), { width: 105 }),
          column("Restaked (AVAX)", ofValidator(staked.restaked), { width: 125, decimals: 2 }),
        ],
      },
    ),
    bars(
      "Reward by validator (AVAX)",
      "How much will each stake be paid? Reward for the stake itself at the end of the period, in AVAX, of the validators whose reward can still be paid. The largest ones.",
      largest(`(${rewardAtEnd(PRIMARY_VALIDATOR)})`),
      { height: 10, decimals: 2 },
    ),
    bars(
      "Delegation fees earned (AVAX)",
      "How much did delegations earn the validator? Delegation fees accrued by the validator and paid at the end of its period, in AVAX. Only validators that have earned some.",
      largest(ofPrimaryValidator(staked.accrued)),
      { height: 10, decimals: 2, noValue: "no fees earned" },
    ),
    lines(
      "Delegated stake (AVAX)",
      "Does the delegated stake grow or shrink? Stake that others delegated to each chosen validator, in AVAX. The validators with the most.",
      withNames(top(ofPrimaryValidator(staked.delegated), { of: "highest", by: "network, node_id" })),
      { height: 10 },
    ),
    bars(
      "Delegation capacity (AVAX)",
      "How much can still be delegated? The smaller of 5 times the own stake and 3,000,000 AVAX, less own and delegated stake. The validators with the most.",
      largest(ofPrimaryValidator(staked.capacity)),
      { height: 10, decimals: 2 },
    ),
    table(
      "Reward addresses",
      "Who receives the reward? Addresses that receive the validation reward of each chosen validator. As configured: each of them is one of its configured reward addresses.",
      {
        height: 10,
        alerts: ["AvaxValidatorRewardAddressChanged"],
        labels: usual("network", "subnet", "node_id"),
        more: {
          expr: where(paid.address, { ...VALIDATOR, kind: "validation" }),
          labels: { address: { title: "Address" } },
        },
        columns: [column("As configured", ofValidator(paid.matches), { mappings: YES_NO, width: 115 })],
      },
    ),
  ],
};

const { metrics: indexed } = hostedValidator;
const { metrics: reward } = hostedNodeRewards;
const PERIODS = `sum by (${BY_VALIDATOR})`;
/** The validators with the most, without zeros. */
const bar = (metric: typeof reward.paid) => withNames(`topk(8, ${PERIODS} (${ofValidator(metric)}) > 0)`);

export const rewardsRow: Row = {
  title: "Staking periods (hosted Data API)",
  collapsed: true,
  panels: [
    table(
      "Periods",
      "Was each earlier period paid? Completed and unpaid periods, the last period, and earned and pending rewards. Capacity: AVAX that can still be delegated. Reachable: share of the service's attempts that reached the validator.",
      {
        width: 24,
        height: 6,
        alerts: ["AvaxStakingPeriodUnrewarded"],
        labels: usual("network", "node_id"),
        more: { expr: withNames(ofValidator(indexed.unrewarded)), labels: usual("name") },
        columns: [
          column(
            "Completed",
            `${PERIODS} (${where(indexed.periods, { ...VALIDATOR, state: "completed", subnet: "primary" })})`,
            { width: 100 },
          ),
          column("Unpaid", ofValidator(indexed.unrewarded), { width: 85 }),
          column("Last rewarded", ofValidator(indexed.lastRewarded), { mappings: YES_NO, width: 110 }),
          dates("Last period ended", ofValidator(indexed.lastCompleted)),
          column("Earned (AVAX)", `${PERIODS} (${ofValidator(indexed.earned)})`, { decimals: 1, width: 115 }),
          column("Pending (AVAX)", `${PERIODS} (${ofValidator(indexed.potential)})`, { decimals: 1, width: 125 }),
          column("Capacity", ofValidator(indexed.capacity), { decimals: 1, width: 115 }),
          shares("Uptime", ofValidator(indexed.uptime), { decimals: 1, width: 85 }),
          shares("Reachable", ofValidator(indexed.reachability), { decimals: 1, width: 85 }),
        ],
      },
    ),
    bars(
      "Paid and pending rewards (AVAX)",
      "How much was paid, and how much is to come? Rewards for staking on each validator, to all recipients, in AVAX: paid, and pending from running stakes.",
      [
        [bar(reward.paid), "{{name}} paid"],
        [bar(reward.pending), "{{name}} pending"],
      ],
      { height: 6, decimals: 1 },
    ),
    table(
      "Proposed blocks",
      "Does each validator propose blocks? Blocks proposed by each validator since the exporter started to count, by chain, and the time of the last one.",
      {
        height: 6,
        labels: { ...usual("network", "node_id"), chain: { title: "Chain" } },
        columns: [
          column("Blocks", ofValidator(hostedBlocks.metrics.blocks), { width: 90 }),
          dates("Last block", ofValidator(hostedBlocks.metrics.last)),
        ],
      },
    ),
  ],
};
