import { DataUtxos, UtxosByAddress, type Utxo, type Utxos } from "../../api/hosted/data-utxos.ts";
import { partsOf } from "../../api/hosted/hosted.ts";
import { answeredAt, flat, truncated } from "./dated.ts";
import { gauges, type Moment } from "../../catalogue/metric.ts";
import { hostedTopic } from "../../catalogue/topic.ts";

const SOURCE = `${UtxosByAddress.name},`;
const LABELS = ["network", "chain", "address"] as const;
type Given = { readonly answers: ReadonlyMap<string, Utxos> };

const rows = ({ answers }: Given, { networkLabel: network }: Moment) =>
  [...answers].map(([key, answer]) => {
    const [chain, address] = partsOf(key);
    return [{ network, chain, address }, answer] as const;
  });

/** What can be done with an output at the time of the answer. */
function stateOf({ staked, until }: Utxo, at: number): "staked" | "locked" | "free" {
  if (staked) return "staked";
  return until > at ? "locked" : "free";
}

/** Sums of each state; every state is there, an empty one as 0. */
function byState({ utxos, at }: Utxos, read: (utxo: Utxo) => number) {
  return (["free", "staked", "locked"] as const).map((state) => {
    const those = utxos.filter((each) => stateOf(each, at) === state);
    return [state, those.reduce((sum, each) => sum + read(each), 0)] as const;
  });
}

export const hostedUtxos = hostedTopic(
  {
    id: "hosted-utxos",
    about: "What do the watched addresses hold on the P-, X- and C-Chain, and when is more of it free?",
    needs: { answers: DataUtxos },
  },
  {
    amount: gauges(
      "avax_address_utxo_amount_avax",
      `AVAX in outputs that are not spent: free, staked or still locked (${SOURCE} \`asset.amount\`).`,
      [...LABELS, "state"],
      (data: Given, context) =>
        flat(rows(data, context), (answer, row) =>
          byState(answer, ({ coins }) => coins).map(([state, sum]) => [{ ...row, state }, sum] as const),
        ),
    ),
    utxos: gauges(
      "avax_address_utxos",
      `Outputs of AVAX that are not spent: free, staked or still locked (${SOURCE} \`utxos\`).`,
      [...LABELS, "state"],
      (data: Given, context) =>
        flat(rows(data, context), (answer, row) =>
          byState(answer, () => 1).map(([state, sum]) => [{ ...row, state }, sum] as const),
        ),
    ),
    others: gauges(
      "avax_address_other_asset_utxos",
      `Outputs of other assets that are not spent (${SOURCE} \`asset.assetId\`).`,
      LABELS,
      (data: Given, context) => rows(data, context).map(([row, { others }]) => [row, others]),
    ),
    unlock: gauges(
      "avax_address_next_unlock_timestamp_seconds",
      `When the next locked output or stake is free (${SOURCE} \`platformLocktime\`, \`stakeableLocktime\`, \`locktime\`, \`utxoEndTimestamp\`).`,
      LABELS,
      (data: Given, context) =>
        rows(data, context).map(([row, { utxos, at }]) => {
          const ahead = utxos.map(({ until }) => until).filter((until) => until > at);
          return [row, ahead.length === 0 ? undefined : ahead.reduce((a, b) => Math.min(a, b))] as const;
        }),
    ),
    newest: gauges(
      "avax_address_newest_utxo_timestamp_seconds",
      `When the newest output that is not spent was made (${SOURCE} \`blockTimestamp\`, \`timestamp\`).`,
      LABELS,
      (data: Given, context) =>
        rows(data, context).map(([row, { utxos }]) => {
          const made = utxos.map(({ created }) => created).filter((time) => time !== undefined);
          return [row, made.length === 0 ? undefined : made.reduce((a, b) => Math.max(a, b))] as const;
        }),
    ),
    truncated: truncated("avax_address_utxos_truncated", UtxosByAddress.name, LABELS, rows),
    answered: answeredAt("avax_address_utxos_answer_timestamp_seconds", UtxosByAddress.name, LABELS, rows),
  },
);
