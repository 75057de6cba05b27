import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { hostedNodeRewards } from "../../../src/topics/hosted/rewards.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { waitingUtxos } from "../../../src/topics/wallets/utxos.ts";
import type { Row } from "../parts/panel-options.ts";
import { rewardAtEnd, RUN_OUT } from "../parts/rewards.ts";
import { redAbove, redOrangeBelow } from "../parts/thresholds.ts";
import { stat } from "../parts/panels.ts";
import { NETWORK, PRIMARY } from "../parts/selectors.ts";
import { sufficient, unlocked } from "./wallet-figures.ts";

const SIZE = { width: 6, height: 4 } as const;

/** The sum of what has these labels, each counted once: every exporter of a pair has the series. */
const sum = (labels: string, expr: string) => `sum by (network) (max by (network, ${labels}) (${expr}))`;

export const balancesRow: Row = {
  id: 100,
  title: "Balances",
  panels: [
    stat(
      {
        id: 101,
        title: "Low wallets",
        about: "Watched wallets whose balance is below their configured limit, on any of their chains.",
        ...SIZE,
        unit: Short,
        noValue: "no limits",
        thresholds: redAbove(1),
        alerts: ["AvaxPlatformWalletLow", "AvaxEvmWalletLow"],
      },
      [[`sum by (network) ((${sufficient}) == bool 0)`, "{{network}}"]],
    ),
    stat(
      {
        id: 102,
        title: "Spendable on the P-Chain (AVAX)",
        about: "Spendable AVAX of all watched wallets on the P-Chain.",
        ...SIZE,
        unit: Short,
        decimals: 2,
        noValue: "no wallets",
        alerts: ["AvaxPlatformWalletLow"],
      },
      [[sum("wallet", unlocked), "{{network}}"]],
    ),
    stat(
      {
        id: 103,
        title: "Pending imports (AVAX)",
        about: "AVAX that watched wallets exported to the C-Chain and have not imported yet.",
        ...SIZE,
        unit: Short,
        decimals: 2,
        noValue: "no wallets",
        alerts: ["AvaxUtxoWaiting"],
      },
      [[sum("wallet, source_chain", where(waitingUtxos.metrics.avax, NETWORK)), "{{network}}"]],
    ),
    stat(
      {
        id: 104,
        title: "L1 balances (AVAX)",
        about: "Balances from which the validators of the configured L1s pay their fees.",
        ...SIZE,
        unit: Short,
        decimals: 2,
        noValue: "no L1",
      },
      [[sum("subnet, validation_id", where(l1Validator.metrics.balance, NETWORK)), "{{network}}"]],
    ),
    stat(
      {
        id: 105,
        title: "Shortest L1 runway",
        about: "Time until the smallest balance of an L1 validator runs out at the current price, or run out.",
        ...SIZE,
        unit: Seconds,
        decimals: 1,
        noValue: "no L1",
        mappings: RUN_OUT,
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [[`min by (network) (${where(l1Runway.metrics.runway, NETWORK)})`, "{{network}}"]],
    ),
    stat(
      {
        id: 106,
        title: "L1 validators run out",
        about: "L1 validators whose balance ran out: they do not sign until someone tops it up.",
        ...SIZE,
        unit: Short,
        noValue: "no L1",
        thresholds: redAbove(1),
        alerts: ["AvaxL1RunwayCritical"],
      },
      [
        [
          `sum by (network) (min by (network, validation_id) (${where(l1Validator.metrics.active, NETWORK)}) == bool 0)`,
          "{{network}}",
        ],
      ],
    ),
    stat(
      {
        id: 107,
        title: "Expected rewards (AVAX)",
        about:
          "Rewards of the running stakes of all watched validators that can still be paid, without delegation fees. A lost reward is not counted.",
        ...SIZE,
        unit: Short,
        decimals: 2,
        noValue: "no validators",
        alerts: ["AvaxRewardLost"],
      },
      [[sum("node_id", rewardAtEnd(PRIMARY)), "{{network}}"]],
    ),
    stat(
      {
        id: 108,
        title: "Paid rewards (AVAX)",
        about:
          "Rewards that were paid for staking on the watched validators, to all recipients. From the hosted Data API.",
        ...SIZE,
        unit: Short,
        decimals: 2,
        noValue: "no hosted API",
        alerts: ["AvaxStakingPeriodUnrewarded"],
      },
      [[sum("node_id, kind", where(hostedNodeRewards.metrics.paid, NETWORK)), "{{network}}"]],
    ),
  ],
};
