import { PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { supply } from "../../../src/topics/network/supply.ts";
import { END_RANGES, validators } from "../../../src/topics/validators/validators.ts";
import { type Row, bars, lines, stat } from "../parts/panels.ts";
import { NETWORK, PRIMARY, select } from "../parts/selectors.ts";

const of = select(NETWORK);
const { metrics: set } = validators;

/** Own and delegated stake. Each exporter of a pair has the series: they are counted once. */
export const totalStake = `sum by (network) (max by (network, staker) (${of(set.stake)}))`;

export const stakeRow: Row = {
  title: "Stake",
  collapsed: true,
  legend: "{{network}}",
  panels: [
    stat("Delegators", "Delegations to all validators of the Primary Network.", where(set.delegators, PRIMARY), {
      height: 8,
    }),
    stat(
      "Staked share",
      "Share of the AVAX supply that is staked, own and delegated. Burnt fees are not subtracted from the supply.",
      `${totalStake} / on (network) (max by (network) (${of(supply.metrics.avax)}) > 0)`,
      { height: 8, unit: PercentUnit, decimals: 1 },
    ),
    bars(
      "Stake by time left (AVAX)",
      "Own and delegated stake of the Primary Network in AVAX, by days until its staking period ends.",
      END_RANGES.map(
        (remaining) =>
          [
            `max by (network, remaining) (${where(set.ending, { ...NETWORK, remaining })})`,
            "{{network}} {{remaining}}",
          ] as const,
      ),
      { decimals: 1 },
    ),
    lines(
      "Own and delegated stake (AVAX)",
      "Stake of the Primary Network in AVAX, by staker.",
      [of(set.stake), "{{network}} {{staker}}"],
      { stacked: true },
    ),
  ],
};
