import { PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { supply } from "../../../src/topics/network/supply.ts";
import { END_RANGES, validators } from "../../../src/topics/validators/validators.ts";
import type { Row } from "../parts/panel-options.ts";
import { bars, lines, stat } from "../parts/panels.ts";
import { NETWORK, PRIMARY } from "../parts/selectors.ts";

const { metrics: set } = validators;

const SIZE = { width: 3, height: 8 } as const;
/** Own and delegated stake. Each exporter of a pair has the series: they are counted once. */
export const totalStake = `sum by (network) (max by (network, staker) (${where(set.stake, NETWORK)}))`;

export const stakeRow: Row = {
  id: 110,
  title: "Stake",
  collapsed: true,
  panels: [
    stat(
      {
        id: 105,
        title: "Delegators",
        about: "Delegations to all validators of the Primary Network.",
        ...SIZE,
        unit: Short,
      },
      [[where(set.delegators, PRIMARY), "{{network}}"]],
    ),
    stat(
      {
        id: 104,
        title: "Staked share",
        about:
          "Share of the AVAX supply that is staked, own and delegated. Burnt fees are not subtracted from the supply.",
        ...SIZE,
        unit: PercentUnit,
        decimals: 1,
      },
      [[`${totalStake} / on (network) (max by (network) (${where(supply.metrics.avax, NETWORK)}) > 0)`, "{{network}}"]],
    ),
    bars(
      {
        id: 108,
        title: "Stake by time left (AVAX)",
        about: "Own and delegated stake of the Primary Network in AVAX, by days until its staking period ends.",
        width: 9,
        unit: Short,
        decimals: 1,
      },
      END_RANGES.map(
        (remaining) =>
          [
            `max by (network, remaining) (${where(set.ending, { ...NETWORK, remaining })})`,
            "{{network}} {{remaining}}",
          ] as const,
      ),
    ),
    lines(
      {
        id: 109,
        title: "Own and delegated stake (AVAX)",
        about: "Stake of the Primary Network in AVAX, by staker.",
        width: 9,
        unit: Short,
      },
      [[where(set.stake, NETWORK), "{{network}} {{staker}}"]],
      "stacked",
    ),
  ],
};
