import {
  AddressTransactions,
  DataErc1155,
  DataErc20,
  DataErc721,
  DataTransactions,
  STANDARDS,
  transfersOf,
  type Standard,
  type Transactions,
  type Transfers,
} from "../../api/hosted/data-transactions.ts";
import { rowsOf } from "./hosted-rows.ts";
import { perRow, type Moment } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { hostedTopic } from "../define/topic.ts";
import type { Value } from "../../exposition/sample.ts";

const SOURCE = `${AddressTransactions.name},`;
const TRANSFERS = STANDARDS.map((standard) => transfersOf(standard).name).join(", ");
const LABELS = ["evm_chain_id", "address"] as const;

type Account = { readonly transactions: ReadonlyMap<string, Transactions> };
type Given = { readonly [S in Standard]: ReadonlyMap<string, Transfers> | undefined };

const account = perRow(rowsOf(LABELS, ({ transactions }: Account) => transactions));

/** What went out and what came in. */
const both = (sent: Value, received: Value) => [
  [{ direction: "out" }, sent] as const,
  [{ direction: "in" }, received] as const,
];

export const hostedTransactions = hostedTopic(
  {
    id: "hosted-transactions",
    about: "What do the watched accounts send and receive on their EVM chains?",
    needs: { transactions: DataTransactions },
  },
  {
    transactions: account.counters(
      "avax_hosted_address_transactions_total",
      `Transactions of the account since it was first polled (${SOURCE} \`nativeTransaction\`).`,
      ["direction"],
      ({ sent, received }) => both(sent, received),
    ),
    failed: account.counter(
      "avax_hosted_address_transactions_failed_total",
      `Failed transactions that the account sent since it was first polled (${SOURCE} \`txStatus\`).`,
      ({ failed }) => failed,
    ),
    coins: account.counters(
      "avax_hosted_address_coins_total",
      `Coins of the chain moved by the account's own transactions since it was first polled, without token transfers and internal transfers (${SOURCE} \`value\`).`,
      ["direction"],
      ({ coinsOut, coinsIn }) => both(coinsOut, coinsIn),
    ),
    fees: account.counter(
      "avax_hosted_address_fees_coins_total",
      `Fees that the account paid since it was first polled, in coins of the chain (${SOURCE} \`gasUsed\`, \`gasPrice\`).`,
      ({ fees }) => fees,
    ),
    last: account.gauge(
      "avax_hosted_address_last_transaction_timestamp_seconds",
      `Time of the newest transaction of the account (${SOURCE} \`blockTimestamp\`).`,
      ({ behind, lastAt }) => (behind ? undefined : lastAt),
    ),
  },
);

const erc20 = perRow(rowsOf(LABELS, (data: Given) => data.erc20));
const anyStandard = perRow({
  labels: [...LABELS, "standard"],
  of: (data: Given, context: Moment) =>
    STANDARDS.flatMap((standard) =>
      rowsOf(LABELS, () => data[standard])
        .of(data, context)
        .map(([row, answer]) => [{ ...row, standard }, answer] as const),
    ),
});

export const hostedTransfers = hostedTopic(
  {
    id: "hosted-transfers",
    about: "Which tokens do the watched accounts send and receive?",
    needs: { erc20: optional(DataErc20), erc721: optional(DataErc721), erc1155: optional(DataErc1155) },
  },
  {
    transfers: anyStandard.counters(
      "avax_hosted_address_token_transfers_total",
      `Token transfers of the account since it was first polled, by token standard (${TRANSFERS}, \`transactions\`).`,
      ["direction"],
      ({ sent, received }) => both(sent, received),
    ),
    amounts: erc20.counters(
      "avax_hosted_address_token_amount_total",
      `Amounts of the configured ERC-20 tokens that the account moved since it was first polled, in whole tokens by the token's own decimals (${transfersOf("erc20").name}, \`value\`, \`erc20Token.decimals\`).`,
      ["token", "direction"],
      ({ tokens }) =>
        [...tokens].flatMap(([token, amounts]) =>
          both(amounts.out, amounts.in).map(([direction, value]) => [{ token, ...direction }, value] as const),
        ),
    ),
    last: anyStandard.gauge(
      "avax_hosted_address_last_token_transfer_timestamp_seconds",
      `Time of the newest token transfer of the account, by token standard (${TRANSFERS}, \`blockTimestamp\`).`,
      ({ behind, lastAt }) => (behind ? undefined : lastAt),
    ),
  },
);
