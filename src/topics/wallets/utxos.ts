import { WaitingUtxos, type Waiting } from "../../api/node/ledger.ts";
import { walletName } from "../../api/node/wallets.ts";
import { gauges, type Context } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";

const SOURCE = "(ledger.getUTXOs,";
const LABELS = ["wallet", "source_chain"] as const;

export const waitingUtxos = topic(
  {
    id: "utxos",
    about: "Is anything waiting on the C-Chain to be imported by a watched wallet?",
    scope: "network",
    needs: { waiting: WaitingUtxos },
  },
  {
    count: gauges(
      "avax_wallet_import_utxos",
      `UTXOs of any asset that a watched wallet exported to the C-Chain and did not import yet, by the chain that they come from ${SOURCE} \`utxos\`).`,
      LABELS,
      ({ waiting }, context) => rows(waiting, context, ({ utxos }) => utxos),
    ),
    avax: gauges(
      "avax_wallet_import_avax",
      `AVAX in those UTXOs; absent while it is not known which asset is AVAX ${SOURCE} amounts in \`utxos\`; platform.getStakingAssetID).`,
      LABELS,
      ({ waiting }, context) => rows(waiting, context, ({ avax }) => avax),
    ),
    truncated: gauges(
      "avax_wallet_import_utxos_truncated",
      `1 when there are more UTXOs than are read in one poll, so that count and sum are lower bounds ${SOURCE} pages).`,
      LABELS,
      ({ waiting }, context) => rows(waiting, context, ({ truncated }) => truncated),
    ),
  },
  ({ count }) => [
    {
      name: "AvaxUtxoWaiting",
      severity: "info",
      expr: `${count} > 0`,
      for: "1h",
      summary: "{{ $value }} UTXOs of {{ $labels.wallet }} wait for import from {{ $labels.source_chain }}",
      description:
        "For 60 minutes something that {{ $labels.wallet }} ({{ $labels.network }}) exported from {{ $labels.source_chain }} to C has not been imported: {{ $value }} UTXOs.",
      runbook: {
        meaning:
          "A transfer between chains is two transactions, and the second one, the import on C, did not happen. The amount is in nobody's balance until then.",
        confirm: "`avax_wallet_import_avax` for the amount.",
        commands: [
          {
            run: `call <any-node> ledger.getUTXOs '{"addresses": ["<address-on-C>"], "sourceChain": "<source_chain>"}'`,
            see: "`numFetched` is the number; the UTXOs follow.",
          },
        ],
        action: "Import it with the wallet that owns the address; the import pays its fee from the amount.",
        falseWhen: "Amounts are left there on purpose, or they are smaller than the fee of importing them.",
      },
      fires: {
        series: { 'avax_wallet_import_utxos{network="n",wallet="treasury",source_chain="P"}': "1x80" },
        at: "70m",
        labels: { network: "n", wallet: "treasury", source_chain: "P" },
      },
      silent: {
        series: { 'avax_wallet_import_utxos{network="n",wallet="treasury",source_chain="P"}': "1x50 0x30" },
        at: "70m",
        why: "it was imported after fifty minutes",
      },
    },
  ],
);

function rows<V>(waiting: ReadonlyMap<string, Waiting>, context: Context, read: (each: Waiting) => V) {
  return [...waiting.values()].map(
    (each) => [{ wallet: walletName(context, each.address), source_chain: each.source }, read(each)] as const,
  );
}
