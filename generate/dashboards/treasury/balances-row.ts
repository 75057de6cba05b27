import { Seconds } from "@grafana/grafana-foundation-sdk/units";
import { hostedNodeRewards } from "../../../src/topics/hosted/rewards.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../src/topics/l1/l1-runway.ts";
import { l1Validator } from "../../../src/topics/l1/l1-validator.ts";
import { waitingUtxos } from "../../../src/topics/wallets/utxos.ts";
import { type Row, stat } from "../parts/panels.ts";
import { rewardAtEnd, RUN_OUT } from "../parts/rewards.ts";
import { redAbove, redOrangeBelow } from "../parts/format.ts";
import { NETWORK, PRIMARY, select } from "../parts/selectors.ts";
import { sufficient, unlocked } from "./wallets-row.ts";

const of = select(NETWORK);

/** The sum of what has these labels, each counted once: every exporter of a pair has the series. */
const sum = (labels: string, expr: string) => `sum by (network) (max by (network, ${labels}) (${expr}))`;

export const balancesRow: Row = {
  title: "Balances",
  legend: "{{network}}",
  panels: [
    stat(
      "Low wallets",
      "Watched wallets whose balance is below their configured limit, on any of their chains.",
      `sum by (network) ((${sufficient}) == bool 0)`,
      { noValue: "no limits", thresholds: redAbove(1), alerts: ["AvaxPlatformWalletLow", "AvaxEvmWalletLow"] },
    ),
    stat(
      "Spendable on the P-Chain (AVAX)",
      "Spendable AVAX of all watched wallets on the P-Chain.",
      sum("wallet", unlocked),
      { decimals: 2, noValue: "no wallets", alerts: ["AvaxPlatformWalletLow"] },
    ),
    stat(
      "Pending imports (AVAX)",
      "AVAX that watched wallets exported to the C-Chain and have not imported yet.",
      sum("wallet, source_chain", of(waitingUtxos.metrics.avax)),
      { decimals: 2, noValue: "no wallets", alerts: ["AvaxUtxoWaiting"] },
    ),
    stat(
      "L1 balances (AVAX)",
      "Balances from which the validators of the configured L1s pay their fees.",
      sum("subnet, validation_id", of(l1Validator.metrics.balance)),
      { decimals: 2, noValue: "no L1" },
    ),
    stat(
      "Shortest L1 runway",
      "Time until the smallest balance of an L1 validator runs out at the current price, or run out.",
      `min by (network) (${of(l1Runway.metrics.runway)})`,
      {
        unit: Seconds,
        decimals: 1,
        noValue: "no L1",
        mappings: RUN_OUT,
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
    ),
    stat(
      "L1 validators run out",
      "L1 validators whose balance ran out: they do not sign until someone tops it up.",
      `sum by (network) (min by (network, validation_id) (${of(l1Validator.metrics.active)}) == bool 0)`,
      { noValue: "no L1", thresholds: redAbove(1), alerts: ["AvaxL1RunwayCritical"] },
    ),
    stat(
      "Expected rewards (AVAX)",
      "Rewards of the running stakes of all watched validators that can still be paid, without delegation fees. A lost reward is not counted.",
      sum("node_id", rewardAtEnd(PRIMARY)),
      { decimals: 2, noValue: "no validators", alerts: ["AvaxRewardLost"] },
    ),
    stat(
      "Paid rewards (AVAX)",
      "Rewards that were paid for staking on the watched validators, to all recipients. From the hosted Data API.",
      sum("node_id, kind", of(hostedNodeRewards.metrics.paid)),
      { decimals: 2, noValue: "no hosted API", alerts: ["AvaxStakingPeriodUnrewarded"] },
    ),
  ],
};
