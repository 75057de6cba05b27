import { DatetimeISO, DurationSeconds, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { rewardAddress } from "../../../src/topics/validators/reward-address.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { rewardAtEnd } from "../parts/rewards.ts";
import { redBelow } from "../parts/thresholds.ts";
import { TO_VALIDATOR } from "../parts/links.ts";
import { bars, lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { PRIMARY_VALIDATOR, VALIDATOR, withNames } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";

const { metrics: staked } = validator;
const { metrics: paid } = rewardAddress;

/** Without members of L1s, which have no stake here; with validators that left the set. */
const inSet = `${where(staked.active, VALIDATOR)} and on (network, subnet, node_id) ${where(staked.start, VALIDATOR)} or ${where(staked.active, VALIDATOR)} == 0`;

/** Bars of the validators with the largest figures, without zeros. */
const largest = (expr: string) => `sort_desc(${withNames(`topk(12, max by (network, node_id) (${expr}) > 0)`)})`;

export const stakeRow: Row = {
  id: 300,
  title: "Stake, delegators and rewards",
  collapsed: true,
  panels: [
    table(
      {
        id: 301,
        title: "Stake and delegators",
        about:
          "Stake, delegations, delegation fee and period of each chosen validator. Next cycle: length of the next cycle of an auto-renewed validator, 0 if it leaves after this one.",
        width: 24,
        height: 10,
        unit: Short,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
      },
      {
        labels: {
          network: { title: "Network", width: 90 },
          subnet: { title: "Subnet", width: 90, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
        },
        more: { expr: withNames(`(${inSet})`), labels: { name: { title: "Name" } } },
        columns: [
          { title: "In the set", width: 85, expr: inSet, mappings: YES_NO },
          { title: "Stake (AVAX)", width: 110, expr: where(staked.weight, VALIDATOR), decimals: 2 },
          { title: "Delegated", width: 90, expr: where(staked.delegated, VALIDATOR) },
          { title: "Delegators", width: 95, expr: where(staked.delegators, VALIDATOR) },
          { title: "Fee", width: 65, expr: where(staked.fee, VALIDATOR), unit: PercentUnit },
          { title: "Weight", width: 70, expr: where(staked.subnetWeight, VALIDATOR) },
          { title: "BLS key", width: 75, expr: where(staked.signer, VALIDATOR), mappings: YES_NO },
          { title: "Start", expr: `1000 * ${where(staked.start, VALIDATOR)}`, unit: DatetimeISO, width: 165 },
          {
            title: "Ends in",
            width: 105,
            expr: `${where(staked.end, VALIDATOR)} - time()`,
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
          },
          {
            title: "Next cycle",
            width: 100,
            expr: where(staked.nextPeriod, VALIDATOR),
            unit: DurationSeconds,
            decimals: 0,
          },
          { title: "Compounded", width: 105, expr: where(staked.compound, VALIDATOR), unit: PercentUnit },
        ],
      },
    ),
    bars(
      {
        id: 302,
        title: "Reward by validator (AVAX)",
        about:
          "Reward for the stake itself at the end of the period, in AVAX, of the validators whose reward can still be paid. The largest ones.",
        width: 8,
        height: 10,
        unit: Short,
        decimals: 2,
      },
      [[largest(`(${rewardAtEnd(PRIMARY_VALIDATOR)})`), "{{name}}"]],
    ),
    bars(
      {
        id: 303,
        title: "Delegation fees earned (AVAX)",
        about:
          "Delegation fees accrued by the validator and paid at the end of its period, in AVAX. Only validators that have earned some.",
        width: 8,
        height: 10,
        unit: Short,
        decimals: 2,
        noValue: "no fees earned",
      },
      [[largest(where(staked.accrued, PRIMARY_VALIDATOR)), "{{name}}"]],
    ),
    lines(
      {
        id: 304,
        title: "Delegated stake (AVAX)",
        about: "Stake that others delegated to each chosen validator, in AVAX. The validators with the most.",
        width: 8,
        height: 10,
        unit: Short,
      },
      [
        [
          withNames(top(where(staked.delegated, PRIMARY_VALIDATOR), { of: "highest", by: "network, node_id" })),
          "{{name}}",
        ],
      ],
    ),
    bars(
      {
        id: 305,
        title: "Delegation capacity (AVAX)",
        about:
          "Stake that can still be delegated: the smaller of 5 times the own stake and 3,000,000 AVAX, less own and delegated stake. The validators with the most.",
        width: 12,
        height: 10,
        unit: Short,
        decimals: 2,
      },
      [[largest(where(staked.capacity, PRIMARY_VALIDATOR)), "{{name}}"]],
    ),
    table(
      {
        id: 306,
        title: "Reward addresses",
        about:
          "Addresses that receive the validation reward of each chosen validator. As configured: each of them is one of its configured reward addresses.",
        width: 12,
        height: 10,
        unit: Short,
        alerts: ["AvaxValidatorRewardAddressChanged"],
      },
      {
        labels: {
          network: { title: "Network", width: 90 },
          subnet: { title: "Subnet", width: 90, short: true },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
        },
        more: {
          expr: where(paid.address, { ...VALIDATOR, kind: "validation" }),
          labels: { address: { title: "Address" } },
        },
        columns: [{ title: "As configured", expr: where(paid.matches, VALIDATOR), mappings: YES_NO, width: 115 }],
      },
    ),
  ],
};
