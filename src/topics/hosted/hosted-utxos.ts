import { DataUtxos, UtxosByAddress, type Utxo, type Utxos } from "../../api/hosted/data-utxos.ts";
import { added } from "../../api/hosted/data-fields.ts";
import { earliest, latest, networkRows, whole } from "./hosted-rows.ts";
import { perRow } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";

const SOURCE = `${UtxosByAddress.name},`;
type Given = { readonly answers: ReadonlyMap<string, Utxos> };

const { gauge, gauges } = perRow(whole(networkRows(["chain", "address"], ({ answers }: Given) => answers)));

/** State of an output at the time of the answer. */
function stateOf({ staked, until }: Utxo, at: number): "staked" | "locked" | "free" {
  if (staked) return "staked";
  return until > at ? "locked" : "free";
}

/** Sums by state; an empty state is 0, and one with an unknown amount is unknown. */
function byState({ utxos, at }: Utxos, read: (utxo: Utxo) => number | undefined) {
  return (["free", "staked", "locked"] as const).map((state) => {
    const those = utxos.filter((each) => stateOf(each, at) === state);
    return [{ state }, added(0, those, read)] as const;
  });
}

export const hostedUtxos = hostedTopic(
  {
    id: "hosted-utxos",
    about: "What do the watched addresses hold on the P-, X- and C-Chain, and when is the next amount unlocked?",
    needs: { answers: DataUtxos },
  },
  {
    amount: gauges(
      "avax_hosted_address_utxos_avax",
      `AVAX in unspent outputs: free, staked or locked (${SOURCE} \`asset.amount\`).`,
      ["state"],
      (answer) => byState(answer, ({ coins }) => coins),
    ),
    utxos: gauges(
      "avax_hosted_address_utxos",
      `Unspent outputs of AVAX: free, staked or locked (${SOURCE} \`utxos\`).`,
      ["state"],
      (answer) => byState(answer, () => 1),
    ),
    others: gauge(
      "avax_hosted_address_other_asset_utxos",
      `Unspent outputs of other assets (${SOURCE} \`asset.assetId\`).`,
      ({ others }) => others,
    ),
    unlock: gauge(
      "avax_hosted_address_next_unlock_timestamp_seconds",
      `When the next locked output or stake becomes free (${SOURCE} \`platformLocktime\`, \`stakeableLocktime\`, \`locktime\`, \`utxoEndTimestamp\`).`,
      ({ utxos, at }) => earliest(utxos.map(({ until }) => until).filter((until) => until > at)),
    ),
    newest: gauge(
      "avax_hosted_address_newest_utxo_timestamp_seconds",
      `When the newest unspent output was created (${SOURCE} \`blockTimestamp\`, \`timestamp\`).`,
      ({ utxos }) => latest(utxos.map(({ created }) => created)),
    ),
  },
);
