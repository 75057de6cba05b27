import { z } from "zod";
import { amount, decimals, inTokens, listed, maybeField, moment, newest, party } from "./data-fields.ts";
import type { Resource } from "../endpoint.ts";
import { hostedEndpoint, listing, nextPageToken, onChainKeys, partsOf, type Dated, type Wanted } from "./hosted.ts";
import { count } from "../wire.ts";

/**
 * Data API: what an account did. Followers: the first answer marks the place, every later one counts what came after it,
 * so that one small page answers and a counter can be made of it.
 */

/** Decimals of every EVM chain's own coin. */
const COIN_DECIMALS = 18;

const native = z.object({
  nativeTransaction: z.object({
    blockNumber: count,
    blockTimestamp: moment,
    from: party,
    to: party,
    value: amount,
    gasUsed: maybeField(amount),
    gasPrice: maybeField(amount),
    txStatus: maybeField(z.coerce.string()),
  }),
});
const nativePage = z.object({ nextPageToken, transactions: listed(native) });

const transfer = z.object({
  blockNumber: count,
  blockTimestamp: moment,
  from: party,
  to: party,
  value: maybeField(amount),
  erc20Token: maybeField(z.object({ address: z.string(), decimals: maybeField(decimals) })),
});
const transferPage = z.object({ nextPageToken, transactions: listed(transfer) });

const PATH = "/v1/chains/{chainId}/addresses/{address}/transactions";

export const AddressTransactions: Resource<z.output<typeof nativePage>> = {
  name: `GET ${PATH}`,
  path: PATH,
  about: "Transactions of an account; those since the exporter's start are counted.",
  result: nativePage,
};

export const STANDARDS = ["erc20", "erc721", "erc1155"] as const;
export type Standard = (typeof STANDARDS)[number];

const LIST_OF = { erc20: "listErc20", erc721: "listErc721", erc1155: "listErc1155" } as const;
const WORD_OF = { erc20: "ERC-20", erc721: "ERC-721", erc1155: "ERC-1155" } as const;

export function transfersOf(standard: Standard): Resource<z.output<typeof transferPage>> {
  const path = `${PATH}:${LIST_OF[standard]}`;
  return {
    name: `GET ${path}`,
    path,
    about: `${WORD_OF[standard]} transfers of an account; those since the exporter's start are counted.`,
    result: transferPage,
  };
}

type Followed = Dated & {
  /** Only what happened after this is counted. Unix seconds. */
  readonly since: number;
  readonly lastBlock: number | undefined;
  /** When the newest one happened. Unix seconds. */
  readonly lastAt: number | undefined;
};

/** Counts since the first answer; amounts in the chain's own coin. */
export type Transactions = Followed & {
  readonly sent: number;
  readonly received: number;
  readonly failed: number;
  readonly coinsOut: number;
  readonly coinsIn: number;
  readonly fees: number;
};

export type Transfers = Followed & {
  readonly sent: number;
  readonly received: number;
  /** Amounts in and out in whole tokens, of the tokens that the configuration names. */
  readonly tokens: ReadonlyMap<string, { readonly in: number; readonly out: number }>;
};

/** The parameters of the next answer: blocks after the last one that was seen. */
function rangeOf(previous: Followed | undefined): ReadonlyArray<readonly [string, string]> {
  const size = ["pageSize", "100"] as const;
  return previous?.lastBlock === undefined ? [size] : [size, ["startBlock", String(previous.lastBlock + 1)]];
}

type Event = { readonly blockNumber: number; readonly blockTimestamp: number | undefined };

/** What of an answer is to be counted, and where the follower stands after it. */
function advance<E extends Event>(
  previous: Followed | undefined,
  events: readonly E[],
  at: number,
  truncated: boolean,
) {
  const since = previous?.since ?? at;
  const after = previous?.lastBlock ?? -1;
  const fresh = events.filter(({ blockNumber }) => blockNumber > after);
  const counted = previous === undefined ? [] : fresh.filter(({ blockTimestamp = 0 }) => blockTimestamp >= since);
  const place: Followed = {
    at,
    truncated: previous !== undefined && truncated,
    since,
    lastBlock: newest([previous?.lastBlock, ...fresh.map(({ blockNumber }) => blockNumber)]),
    lastAt: newest([previous?.lastAt, ...fresh.map(({ blockTimestamp }) => blockTimestamp)]),
  };
  return { counted, place };
}

export const DataTransactions = hostedEndpoint<Transactions>({
  id: "data.transactions",
  about: AddressTransactions.about,
  methods: [AddressTransactions.name],
  service: "data",
  units: 20,
  priority: 3,
  every: 900,
  keys: ({ accounts }) => onChainKeys(accounts),
  async ask(api, key, { maxPages }, previous) {
    const [chainId, address] = partsOf(key);
    const { pages, truncated } = await listing(
      api,
      AddressTransactions,
      { chainId, address },
      [...rangeOf(previous), ["sortOrder", "desc"]],
      previous === undefined ? 1 : maxPages,
    );
    const events = pages.flatMap(({ transactions }) => transactions.map((each) => each.nativeTransaction));
    const { counted, place } = advance(previous, events, api.now, truncated);
    const own = address.toLowerCase();
    const sent = counted.filter(({ from }) => from === own);
    const received = counted.filter(({ to }) => to === own);
    const coins = (list: typeof counted) =>
      list.filter(hasSucceeded).reduce((sum, { value }) => sum + inTokens(value, COIN_DECIMALS), 0);
    return {
      ...place,
      sent: (previous?.sent ?? 0) + sent.length,
      received: (previous?.received ?? 0) + received.length,
      failed: (previous?.failed ?? 0) + sent.filter((each) => !hasSucceeded(each)).length,
      coinsOut: (previous?.coinsOut ?? 0) + coins(sent),
      coinsIn: (previous?.coinsIn ?? 0) + coins(received),
      fees:
        (previous?.fees ?? 0) +
        sent.reduce((sum, { gasUsed = 0n, gasPrice = 0n }) => sum + inTokens(gasUsed * gasPrice, COIN_DECIMALS), 0),
    };
  },
});

function hasSucceeded({ txStatus }: { readonly txStatus: string | undefined }): boolean {
  return txStatus !== "0" && txStatus !== "0x0";
}

function transfersEndpoint(standard: Standard) {
  const resource = transfersOf(standard);
  return hostedEndpoint<Transfers>({
    id: `data.${standard}`,
    about: resource.about,
    methods: [resource.name],
    service: "data",
    units: 20,
    priority: 4,
    every: 1800,
    keys: ({ accounts }) => onChainKeys(accounts),
    async ask(api, key, wanted, previous) {
      const [chainId, address] = partsOf(key);
      const { pages, truncated } = await listing(
        api,
        resource,
        { chainId, address },
        rangeOf(previous),
        previous === undefined ? 1 : wanted.maxPages,
      );
      const events = pages.flatMap(({ transactions }) => transactions);
      const { counted, place } = advance(previous, events, api.now, truncated);
      const own = address.toLowerCase();
      return {
        ...place,
        sent: (previous?.sent ?? 0) + counted.filter(({ from }) => from === own).length,
        received: (previous?.received ?? 0) + counted.filter(({ to }) => to === own).length,
        tokens: standard === "erc20" ? addAmounts(previous, counted, own, tokensOf(wanted, chainId)) : new Map(),
      };
    },
  });
}

/** Contracts of one chain that the configuration names, by their lower-case form. */
function tokensOf({ tokens }: Wanted, chainId: string): ReadonlyMap<string, string> {
  return new Map(
    tokens.filter(({ chain }) => chain === chainId).map(({ address }) => [address.toLowerCase(), address]),
  );
}

function addAmounts(
  previous: Transfers | undefined,
  counted: ReadonlyArray<z.output<typeof transfer>>,
  own: string,
  named: ReadonlyMap<string, string>,
): Transfers["tokens"] {
  const sums = new Map([...named.values()].map((token) => [token, previous?.tokens.get(token) ?? { in: 0, out: 0 }]));
  for (const { erc20Token, value, from, to } of counted) {
    const token = named.get(erc20Token?.address.toLowerCase() ?? "");
    const sum = token === undefined ? undefined : sums.get(token);
    // A token that does not say its decimals has no amount that a person would recognise.
    if (token === undefined || sum === undefined || value === undefined || erc20Token?.decimals === undefined) continue;
    const moved = inTokens(value, erc20Token.decimals);
    sums.set(token, { in: sum.in + (to === own ? moved : 0), out: sum.out + (from === own ? moved : 0) });
  }
  return sums;
}

export const DataErc20 = transfersEndpoint("erc20");
export const DataErc721 = transfersEndpoint("erc721");
export const DataErc1155 = transfersEndpoint("erc1155");
