import { z } from "zod";
import { ApiError, type Polled, type Resource } from "../endpoint.ts";

/** What the two hosted HTTP services (Data API, Metrics API) have in common: who is asked, what it costs, and pages. */

export type Service = "data" | "metrics";
export const SERVICES: readonly Service[] = ["data", "metrics"];

export const INTERVALS = ["hour", "day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

/** A contract, account or collection on an EVM chain. `chain` is the EVM chain ID as text. */
export type OnChain = { readonly chain: string; readonly address: string };

/** What the configuration wants to know of the services; an empty list asks nothing. */
export type Wanted = {
  /** Path segment and label: mainnet, fuji or testnet. */
  readonly network: string;
  /** Asset ID of AVAX on this network; `undefined` where it is not known. */
  readonly avaxAssetId: string | undefined;
  readonly validators: readonly string[];
  /** Addresses in bech32, without chain prefix. */
  readonly wallets: readonly string[];
  /** Primary Network chains whose UTXOs are asked for. */
  readonly utxoChains: readonly string[];
  /** Primary Network chains whose proposed blocks are asked for. */
  readonly blockChains: readonly string[];
  readonly accounts: readonly OnChain[];
  /** What people call the addresses of `wallets` and `accounts`, by address. */
  readonly names: ReadonlyMap<string, string>;
  readonly chains: readonly string[];
  /** ERC-20 tokens whose transferred amounts are wanted. */
  readonly tokens: readonly OnChain[];
  readonly contracts: readonly OnChain[];
  readonly collections: readonly OnChain[];
  readonly nfts: ReadonlyArray<OnChain & { readonly tokenId: string }>;
  readonly currency: string;
  /** EVM chain IDs, or total, mainnet, testnet. */
  readonly metricChains: readonly string[];
  readonly intervals: readonly Interval[];
  /** Pages of one listing that are read at most. */
  readonly maxPages: number;
};

export const NOTHING_WANTED: Wanted = {
  network: "mainnet",
  avaxAssetId: undefined,
  validators: [],
  wallets: [],
  utxoChains: [],
  blockChains: [],
  accounts: [],
  names: new Map(),
  chains: [],
  tokens: [],
  contracts: [],
  collections: [],
  nfts: [],
  currency: "usd",
  metricChains: [],
  intervals: [],
  maxPages: 10,
};

export type Query = ReadonlyArray<readonly [string, string]>;
type Parts = Readonly<Record<string, string>>;

/** How a hosted endpoint reaches its service. Each request is paid from the budget before it is sent, and rejects with an `ApiError`. */
export type HostedApi = {
  /** Unix seconds at the start of the poll. */
  readonly now: number;
  /** GETs a resource whose path has `{names}` to be filled from `parts`. */
  readonly get: <R>(resource: Resource<R>, parts: Parts, query?: Query) => Promise<R>;
};

/** How valuable an answer is when the budget does not reach for all: 1 goes first. */
export type Priority = 1 | 2 | 3 | 4;

/** An endpoint of a hosted service. */
export type HostedEndpoint<A> = Polled<A, true> & {
  readonly scope: "hosted";
  readonly service: Service;
  /** Compute units that one request costs. */
  readonly units: number;
  readonly priority: Priority;
  readonly keys: (wanted: Wanted) => readonly string[];
  ask(api: HostedApi, key: string, wanted: Wanted, previous: A | undefined): Promise<A>;
  /** What of an answer still holds at a later time; the answer itself when all of it does. Asked at every full hour. */
  still?(answer: A, key: string, now: number): A;
};

type Definition<A> = Pick<HostedEndpoint<A>, "id" | "about" | "methods" | "every" | "service" | "units" | "priority"> &
  Pick<HostedEndpoint<A>, "keys" | "ask" | "still"> & {
    readonly optional?: boolean;
    readonly enabled?: boolean;
  };

/** Seconds until a hosted request is given up; a page of a large listing takes some. */
const TIMEOUT = 20;

/** An endpoint of a hosted service, with the deadline that they share. */
export function hostedEndpoint<A>(definition: Definition<A>): HostedEndpoint<A> {
  return { ...definition, scope: "hosted", timeout: TIMEOUT, keyed: true };
}

/** What every hosted answer says beside its data. */
export type Dated = {
  /** Unix seconds at which the service was asked. */
  readonly at: number;
  /** More data follows than the configured number of pages. */
  readonly truncated: boolean;
};

/** A key of several parts; none of them contains a space. */
export const keyOf = (...parts: readonly string[]): string => parts.join(" ");
/** The parts of a key; a missing one is empty. */
export function partsOf(key: string): readonly [string, string, string] {
  const [first = "", second = "", third = ""] = key.split(" ");
  return [first, second, third];
}

export const onChainKeys = (items: readonly OnChain[]): readonly string[] =>
  items.map(({ chain, address }) => keyOf(chain, address));

/** `nextPageToken` of a listing; null and empty mean what absent means. */
export const nextPageToken = z
  .string()
  .nullish()
  .transform((token) => (token === null || token === "" ? undefined : token));

type Paged = { readonly nextPageToken?: string | undefined };

export type Listing<R> = { readonly pages: readonly R[]; readonly truncated: boolean };

/**
 * Every page of a listing, up to `most`, or until `enough` says so. A token that the service does not accept any more
 * restarts the listing from its first page, once. Nothing is returned before all pages are there.
 * @throws ApiError of the page that failed; `schema` when a token leads back to itself
 */
export async function listing<R extends Paged>(
  api: HostedApi,
  resource: Resource<R>,
  parts: Parts,
  query: Query,
  most: number,
  enough: (pages: readonly R[]) => boolean = () => false,
): Promise<Listing<R>> {
  const read = () => pagesOf(api, resource, parts, query, most, enough);
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ExpiredToken)) throw error;
    return read().catch((again: unknown) => {
      throw again instanceof ExpiredToken ? again.reason : again;
    });
  }
}

async function pagesOf<R extends Paged>(
  api: HostedApi,
  resource: Resource<R>,
  parts: Parts,
  query: Query,
  most: number,
  enough: (pages: readonly R[]) => boolean,
): Promise<Listing<R>> {
  const pages: R[] = [];
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    const page: R = await onePage(api, resource, parts, query, token);
    pages.push(page);
    token = page.nextPageToken;
    if (token !== undefined && seen.has(token))
      throw new ApiError({ reason: "schema", message: "nextPageToken leads back to a page that was read" });
    if (token !== undefined) seen.add(token);
    if (enough(pages)) return { pages, truncated: false };
  } while (token !== undefined && pages.length < most);
  return { pages, truncated: token !== undefined };
}

async function onePage<R>(
  api: HostedApi,
  resource: Resource<R>,
  parts: Parts,
  query: Query,
  token: string | undefined,
): Promise<R> {
  if (token === undefined) return api.get(resource, parts, query);
  try {
    return await api.get(resource, parts, [...query, ["pageToken", token]]);
  } catch (error) {
    throw isRefusal(error) ? new ExpiredToken(error) : error;
  }
}

/** The first page was accepted, so it is the token that the service does not know (any more). */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 404, 410, 422].includes(error.failure.status ?? 0);
}

class ExpiredToken extends Error {
  readonly reason: ApiError;
  constructor(reason: ApiError) {
    super("page token expired", { cause: reason });
    this.reason = reason;
  }
}
