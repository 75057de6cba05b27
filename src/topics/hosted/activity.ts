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
} from "../../api/hosted/data-activity.ts";
import { each, flat, rowsOf } from "./dated.ts";
import { counters, gauges } from "../define/metric.ts";
import { maybe } from "../define/needs.ts";
import { hostedTopic } from "../define/topic.ts";
import type { Value } from "../../exposition/sample.ts";

const SOURCE = `${AddressTransactions.name},`;
const TRANSFERS = STANDARDS.map((standard) => transfersOf(standard).name).join(", ");
const LABELS = ["evm_chain_id", "address"] as const;

type Account = { readonly transactions: ReadonlyMap<string, Transactions> };
type Given = { readonly [S in Standard]: ReadonlyMap<string, Transfers> | undefined };

const rows = ({ transactions }: Account) => rowsOf(LABELS, transactions);

/** What went out and what came in. */
const both = <R extends object>(row: R, sent: Value, received: Value) => [
  [{ ...row, direction: "out" }, sent] as const,
  [{ ...row, direction: "in" }, received] as const,
];

export const hostedTransactions = hostedTopic(
  {
    id: "hosted-transactions",
    about: "What do the watched accounts send and receive on their EVM chains?",
    needs: { transactions: DataTransactions },
  },
  {
    transactions: counters(
      "avax_hosted_address_transactions_total",
      `Transactions of the account since it was first polled (${SOURCE} \`nativeTransaction\`).`,
      [...LABELS, "direction"],
      flat(rows, ({ sent, received }, row) => both(row, sent, received)),
    ),
    failed: counters(
      "avax_hosted_address_transactions_failed_total",
      `Failed transactions that the account sent since it was first polled (${SOURCE} \`txStatus\`).`,
      LABELS,
      each(rows, ({ failed }) => failed),
    ),
    coins: counters(
      "avax_hosted_address_coins_total",
      `Coins of the chain moved by the account's own transactions since it was first polled, without token transfers and internal transfers (${SOURCE} \`value\`).`,
      [...LABELS, "direction"],
      flat(rows, ({ coinsOut, coinsIn }, row) => both(row, coinsOut, coinsIn)),
    ),
    fees: counters(
      "avax_hosted_address_fees_coins_total",
      `Fees that the account paid since it was first polled, in coins of the chain (${SOURCE} \`gasUsed\`, \`gasPrice\`).`,
      LABELS,
      each(rows, ({ fees }) => fees),
    ),
    last: gauges(
      "avax_hosted_address_last_transaction_timestamp_seconds",
      `Time of the newest transaction of the account (${SOURCE} \`blockTimestamp\`).`,
      LABELS,
      each(rows, ({ lastAt }) => lastAt),
    ),
  },
);

const transferRows = (data: Given) =>
  STANDARDS.flatMap((standard) =>
    rowsOf(LABELS, data[standard]).map(([row, answer]) => [{ ...row, standard }, answer] as const),
  );

export const hostedTransfers = hostedTopic(
  {
    id: "hosted-transfers",
    about: "Which tokens do the watched accounts send and receive?",
    needs: { erc20: maybe(DataErc20), erc721: maybe(DataErc721), erc1155: maybe(DataErc1155) },
  },
  {
    transfers: counters(
      "avax_hosted_address_token_transfers_total",
      `Token transfers of the account since it was first polled, by token standard (${TRANSFERS}, \`transactions\`).`,
      [...LABELS, "standard", "direction"],
      flat(transferRows, ({ sent, received }, row) => both(row, sent, received)),
    ),
    amounts: counters(
      "avax_hosted_address_token_amount_total",
      `Amounts of the configured ERC-20 tokens that the account moved since it was first polled, in whole tokens by the token's own decimals (${transfersOf("erc20").name}, \`value\`, \`erc20Token.decimals\`).`,
      [...LABELS, "token", "direction"],
      ({ erc20 }: Given) =>
        rowsOf(LABELS, erc20).flatMap(([row, { tokens }]) =>
          [...tokens].flatMap(([token, amounts]) => both({ ...row, token }, amounts.out, amounts.in)),
        ),
    ),
    last: gauges(
      "avax_hosted_address_last_token_transfer_timestamp_seconds",
      `Time of the newest token transfer of the account, by token standard (${TRANSFERS}, \`blockTimestamp\`).`,
      [...LABELS, "standard"],
      each(transferRows, ({ lastAt }) => lastAt),
    ),
  },
);
