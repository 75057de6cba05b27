import { DurationSeconds, PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { rewardAddress } from "../../../src/topics/validators/reward-address.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { YES_NO, redBelow } from "../parts/format.ts";
import { type Row, bars, lines } from "../parts/panels.ts";
import { rewardAtEnd } from "../parts/rewards.ts";
import { column, dates, table, usual } from "../parts/table.ts";
import { PRIMARY_VALIDATOR, VALIDATOR, withNames, select, top } from "../parts/selectors.ts";

const of = select(VALIDATOR);
const { metrics: staked } = validator;
const { metrics: paid } = rewardAddress;

/** Without members of L1s, which have no stake here; with validators that left the set. */
const inSet = `${of(staked.active)} and on (network, subnet, node_id) ${of(staked.start)} or ${of(staked.active)} == 0`;

/** Bars of the validators with the largest figures, without zeros. */
const largest = (expr: string) => `sort_desc(${withNames(`topk(12, max by (network, node_id) (${expr}) > 0)`)})`;

export const stakeRow: Row = {
  title: "Stake, delegators and rewards",
  collapsed: true,
  legend: "{{name}}",
  panels: [
    table(
      "Stake and delegators",
      "Stake, delegations, delegation fee and period of each chosen validator. Next cycle: length of the next cycle of an auto-renewed validator, 0 if it leaves after this one.",
      {
        width: 24,
        height: 10,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
        labels: usual("network", "subnet", "node_id"),
        more: { expr: withNames(`(${inSet})`), labels: usual("name") },
        columns: [
          column("In the set", inSet, { width: 85, mappings: YES_NO }),
          column("Stake (AVAX)", of(staked.weight), { width: 110, decimals: 2 }),
          column("Delegated", of(staked.delegated), { width: 90 }),
          column("Delegators", of(staked.delegators), { width: 95 }),
          column("Fee", of(staked.fee), { width: 65, unit: PercentUnit }),
          column("Weight", of(staked.subnetWeight), { width: 70 }),
          column("BLS key", of(staked.signer), { width: 75, mappings: YES_NO }),
          dates("Start", of(staked.start)),
          column("Ends in", `${of(staked.end)} - time()`, {
            width: 105,
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
          }),
          column("Next cycle", of(staked.nextPeriod), { width: 100, unit: DurationSeconds, decimals: 0 }),
          column("Compounded", of(staked.compound), { width: 105, unit: PercentUnit }),
        ],
      },
    ),
    bars(
      "Reward by validator (AVAX)",
      "Reward for the stake itself at the end of the period, in AVAX, of the validators whose reward can still be paid. The largest ones.",
      largest(`(${rewardAtEnd(PRIMARY_VALIDATOR)})`),
      { height: 10, decimals: 2 },
    ),
    bars(
      "Delegation fees earned (AVAX)",
      "Delegation fees accrued by the validator and paid at the end of its period, in AVAX. Only validators that have earned some.",
      largest(where(staked.accrued, PRIMARY_VALIDATOR)),
      { height: 10, decimals: 2, noValue: "no fees earned" },
    ),
    lines(
      "Delegated stake (AVAX)",
      "Stake that others delegated to each chosen validator, in AVAX. The validators with the most.",
      withNames(top(where(staked.delegated, PRIMARY_VALIDATOR), { of: "highest", by: "network, node_id" })),
      { height: 10 },
    ),
    bars(
      "Delegation capacity (AVAX)",
      "Stake that can still be delegated: the smaller of 5 times the own stake and 3,000,000 AVAX, less own and delegated stake. The validators with the most.",
      largest(where(staked.capacity, PRIMARY_VALIDATOR)),
      { height: 10, decimals: 2 },
    ),
    table(
      "Reward addresses",
      "Addresses that receive the validation reward of each chosen validator. As configured: each of them is one of its configured reward addresses.",
      {
        height: 10,
        alerts: ["AvaxValidatorRewardAddressChanged"],
        labels: usual("network", "subnet", "node_id"),
        more: {
          expr: where(paid.address, { ...VALIDATOR, kind: "validation" }),
          labels: { address: { title: "Address" } },
        },
        columns: [column("As configured", of(paid.matches), { mappings: YES_NO, width: 115 })],
      },
    ),
  ],
};
