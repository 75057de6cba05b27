import { WaitingUtxos, type Waiting } from "../../api/node/waiting-utxos.ts";
import { walletName } from "../../api/node/wallets-of.ts";
import { perRow, type Context } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { WITHOUT_REFERENCE_NODE } from "../define/causes.ts";

const SOURCE = "(ledger.getUTXOs,";
type Given = { readonly waiting: ReadonlyMap<string, Waiting> };

const { gauge } = perRow({
  labels: ["wallet", "source_chain"],
  of: ({ waiting }: Given, context: Context) =>
    [...waiting.values()].map(
      (each) => [{ wallet: walletName(context, each.address), source_chain: each.source }, each] as const,
    ),
});

export const waitingUtxos = topic(
  {
    id: "utxos",
    about: "Do exports of watched wallets to the C-Chain wait for their import?",
    scope: "network",
    needs: { waiting: WaitingUtxos },
  },
  {
    count: gauge(
      "avax_wallet_import_utxos",
      `UTXOs of any asset that a watched wallet exported to the C-Chain and has not imported yet, by source chain ${SOURCE} \`utxos\`).`,
      ({ utxos }) => utxos,
    ),
    avax: gauge(
      "avax_wallet_import_avax",
      `AVAX in the UTXOs that a watched wallet has not imported to the C-Chain yet; absent while the asset ID of AVAX is unknown, a UTXO cannot be read, or there are more than one poll reads ${SOURCE} amounts in \`utxos\`; platform.getStakingAssetID).`,
      ({ avax, truncated }) => (truncated ? undefined : avax),
    ),
    truncated: gauge(
      "avax_wallet_import_utxos_truncated",
      `1 when there are more UTXOs than one poll reads, so that the count is a lower bound ${SOURCE} pages).`,
      ({ truncated }) => truncated,
    ),
  },
  ({ count }) => ({
    AvaxUtxoWaiting: {
      severity: "info",
      when: { of: count, above: 0 },
      labels: ["network", "wallet", "source_chain"],
      for: "1h",
      explainedBy: [WITHOUT_REFERENCE_NODE],
      summary: "{{ $labels.wallet }}: {{ $value }} UTXOs from {{ $labels.source_chain }} are not imported",
      description: "They are exports to C ({{ $labels.network }}).",
      meaning:
        "A transfer between chains takes two transactions. The second one, the import on C, is missing. Until then the amount is in no balance.",
      confirm: "`avax_wallet_import_avax` shows the amount.",
      commands: {
        [`call <any-node> ledger.getUTXOs '{"addresses": ["<address-on-C>"], "sourceChain": "<source_chain>"}'`]:
          "`numFetched` is the number of UTXOs; the UTXOs follow.",
      },
      action: "Import it with the wallet that owns the address. The import pays its fee from the amount.",
      falsePositives: "The amounts are left there on purpose, or they are smaller than the import fee.",
    },
  }),
);
