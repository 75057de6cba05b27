import { z } from "zod";
import { added, amount, blockTime, maybeField, maybeTokens, recipient, sender } from "./data-fields.ts";
import { newEvents, type FollowedEvents } from "./followed-events.ts";
import type { Resource } from "../endpoint.ts";
import {
  getResource,
  hostedEndpoint,
  onChainKeys,
  pageOf,
  partsOf,
  type Page,
  type SearchParameters,
  type HostedSubjects,
} from "./hosted-endpoint.ts";
import { count, textOrNumber } from "../wire.ts";

/** Data API: activity of an account. */

/** Decimals of every EVM chain's own coin. */
const COIN_DECIMALS = 18;

/** When it was, from whom and to whom. */
const event = { blockNumber: count, blockTimestamp: blockTime, from: sender, to: recipient };

const native = z
  .object({
    nativeTransaction: z.object({
      ...event,
      value: maybeField(amount),
      gasUsed: maybeField(amount),
      gasPrice: maybeField(amount),
      txStatus: maybeField(textOrNumber),
    }),
  })
  .transform(({ nativeTransaction }) => nativeTransaction);
/** Without one of them, a transaction is counted and the sums over it are unknown. */
const OF_TRANSACTION = ["value", "gasUsed", "gasPrice", "txStatus"].map((field) => `nativeTransaction.${field}`);

const transfer = z.object({
  ...event,
  value: maybeField(amount),
  erc20Token: maybeField(z.object({ address: z.string(), decimals: maybeField(count) })),
});

const PATH = "/v1/chains/{chainId}/addresses/{address}/transactions";

export const AddressTransactions = getResource(
  PATH,
  "Transactions of an account; those since the exporter's start are counted.",
  pageOf("transactions", native, OF_TRANSACTION),
);

export const STANDARDS = ["erc20", "erc721", "erc1155"] as const;
export type Standard = (typeof STANDARDS)[number];

export function transfersOf(standard: Standard): Resource<Page<z.output<typeof transfer>>> {
  const number = standard.slice("erc".length);
  const about = `ERC-${number} transfers of an account; those since the exporter's start are counted.`;
  const item =
    standard === "erc20" ? transfer.refine(({ erc20Token }) => erc20Token !== undefined, "no token") : transfer;
  return getResource(`${PATH}:listErc${number}`, about, pageOf("transactions", item, ["value", "erc20Token.decimals"]));
}

/** Counts since the first answer; amounts in the chain's own coin. */
export type Transactions = FollowedEvents & {
  readonly sent: number;
  readonly received: number;
  readonly failed: number | undefined;
  readonly coinsOut: number | undefined;
  readonly coinsIn: number | undefined;
  readonly fees: number | undefined;
};
const NO_TRANSACTIONS = { sent: 0, received: 0, failed: 0, coinsOut: 0, coinsIn: 0, fees: 0 };

export type Transfers = FollowedEvents & {
  readonly sent: number;
  readonly received: number;
  /** Amounts in whole tokens, by configured token. */
  readonly tokens: ReadonlyMap<string, { readonly in: number | undefined; readonly out: number | undefined }>;
};

const laterBlocks = ({ lastBlock }: Partial<FollowedEvents> = {}): SearchParameters =>
  lastBlock === undefined ? [] : [["startBlock", String(lastBlock)]];
const newestFirst = (previous?: FollowedEvents): SearchParameters => [...laterBlocks(previous), ["sortOrder", "desc"]];

export const DataTransactions = hostedEndpoint<Transactions>(AddressTransactions, {
  id: "data.transactions",
  units: 20,
  priority: 3,
  every: 900,
  keys: ({ accounts }) => onChainKeys(accounts),
  follows: true,
  async ask(api, key, { maxPages }, previous) {
    const [chainId, address] = partsOf(key);
    const parts = { chainId, address };
    const { counted, position } = await newEvents(api, AddressTransactions, parts, maxPages, previous, newestFirst);
    const own = address.toLowerCase();
    const sent = counted.filter(({ from }) => from === own);
    const received = counted.filter(({ to }) => to === own);
    const before = previous ?? NO_TRANSACTIONS;
    return {
      ...position,
      sent: before.sent + sent.length,
      received: before.received + received.length,
      failed: added(before.failed, sent, failuresOf),
      coinsOut: added(before.coinsOut, sent, movedBy),
      coinsIn: added(before.coinsIn, received, movedBy),
      fees: added(before.fees, sent, feeOf),
    };
  },
});

type Native = z.output<typeof native>;

/** The status of a receipt; the specification leaves open how it is written, so that another word is unknown. */
const FAILURES = new Map<string, 0 | 1>([
  ["0", 1],
  ["0x0", 1],
  ["1", 0],
  ["0x1", 0],
]);

/** 1 of a failed transaction. */
const failuresOf = ({ txStatus }: Native): 0 | 1 | undefined => FAILURES.get(String(txStatus));

/** A failed transaction moves nothing. */
function movedBy(transaction: Native): number | undefined {
  const failures = failuresOf(transaction);
  if (failures === 1) return 0;
  return failures === 0 ? maybeTokens(transaction.value, COIN_DECIMALS) : undefined;
}

export function feeOf({ gasUsed, gasPrice }: Pick<Native, "gasUsed" | "gasPrice">): number | undefined {
  return gasUsed === undefined || gasPrice === undefined ? undefined : maybeTokens(gasUsed * gasPrice, COIN_DECIMALS);
}

function transfersEndpoint(standard: Standard) {
  const resource = transfersOf(standard);
  return hostedEndpoint<Transfers>(resource, {
    id: `data.${standard}`,
    units: 20,
    priority: 4,
    every: 1800,
    keys: ({ accounts }) => onChainKeys(accounts),
    follows: true,
    async ask(api, key, wanted, previous) {
      const [chainId, address] = partsOf(key);
      const parts = { chainId, address };
      const { counted, position } = await newEvents(api, resource, parts, wanted.maxPages, previous, laterBlocks);
      const own = address.toLowerCase();
      return {
        ...position,
        sent: (previous?.sent ?? 0) + counted.filter(({ from }) => from === own).length,
        received: (previous?.received ?? 0) + counted.filter(({ to }) => to === own).length,
        tokens: standard === "erc20" ? addAmounts(previous, counted, own, tokensOf(wanted, chainId)) : new Map(),
      };
    },
  });
}

/** Configured token contracts of one chain, by their lower-case form. */
function tokensOf({ tokens }: HostedSubjects, chainId: string): ReadonlyMap<string, string> {
  return new Map(
    tokens.filter(({ chain }) => chain === chainId).map(({ address }) => [address.toLowerCase(), address]),
  );
}

function addAmounts(
  previous: Transfers | undefined,
  counted: ReadonlyArray<z.output<typeof transfer>>,
  own: string,
  tokens: ReadonlyMap<string, string>,
): Transfers["tokens"] {
  const sums = new Map([...tokens.values()].map((token) => [token, previous?.tokens.get(token) ?? { in: 0, out: 0 }]));
  for (const { erc20Token, value, from, to } of counted) {
    const token = tokens.get(erc20Token?.address.toLowerCase() ?? "");
    const sum = token === undefined ? undefined : sums.get(token);
    if (token === undefined || sum === undefined) continue;
    const moved = maybeTokens(value, erc20Token?.decimals);
    sums.set(token, {
      in: to === own ? added(sum.in, [moved], (value) => value) : sum.in,
      out: from === own ? added(sum.out, [moved], (value) => value) : sum.out,
    });
  }
  return sums;
}

export const DataErc20 = transfersEndpoint("erc20");
export const DataErc721 = transfersEndpoint("erc721");
export const DataErc1155 = transfersEndpoint("erc1155");
