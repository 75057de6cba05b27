import { z } from "zod";
import { ApiError, type Polled, type Resource } from "../endpoint.ts";
import { fieldAt, rows, type InvalidRows } from "../wire.ts";

/** The common part of the two hosted HTTP services (Data API, Metrics API): configuration, cost and pages. */

export type HostedService = "data" | "metrics";
export const SERVICES: readonly HostedService[] = ["data", "metrics"];

export const INTERVALS = ["hour", "day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

/** A contract, account or collection on an EVM chain. `chain` is the EVM chain ID as text. */
export type OnChain = { readonly chain: string; readonly address: string };

/** The configured subjects of the services; an empty list causes no request. */
export type HostedSubjects = {
  /** Path segment and label: mainnet or fuji. */
  readonly network: string;
  /** Asset ID of AVAX on this network, if known. */
  readonly avaxAssetId: string | undefined;
  readonly validators: readonly string[];
  /** Bech32 addresses without chain prefix. */
  readonly wallets: readonly string[];
  /** Primary Network chains whose UTXOs are polled. */
  readonly utxoChains: readonly string[];
  /** Primary Network chains whose proposed blocks are polled. */
  readonly blockChains: readonly string[];
  readonly accounts: readonly OnChain[];
  /** Configured names of `wallets` and `accounts`, by address. */
  readonly names: ReadonlyMap<string, string>;
  readonly chains: readonly string[];
  /** ERC-20 tokens whose transferred amounts are counted. */
  readonly tokens: readonly OnChain[];
  readonly contracts: readonly OnChain[];
  readonly collections: readonly OnChain[];
  readonly nfts: ReadonlyArray<OnChain & { readonly tokenId: string }>;
  readonly currency: string;
  /** EVM chain IDs, or total, mainnet, testnet. */
  readonly metricChains: readonly string[];
  readonly intervals: readonly Interval[];
  /** Maximum number of pages of one listing. */
  readonly maxPages: number;
};

export const NOTHING_WANTED: HostedSubjects = {
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

/** The headers of keys at the public service and in the specification: each server ignores the other. */
const KEY_HEADERS = ["x-glacier-api-key", "x-service-api-key"];

/** The headers that carry a key. @param header the configured one */
export function keyHeaders(key: string | undefined, header: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  return Object.fromEntries((header === undefined ? KEY_HEADERS : [header]).map((name) => [name, key]));
}

export type SearchParameters = ReadonlyArray<readonly [string, string]>;
type Parts = Readonly<Record<string, string>>;

/** Requests of a hosted endpoint to its service. The budget is charged before a request is sent. Rejects with an `ApiError`. */
export type HostedApi = {
  /** Unix seconds at the start of the poll. */
  readonly now: number;
  /** GETs a resource; `parts` has the values of the `{names}` in its path. */
  readonly get: <R>(resource: Resource<R>, parts: Parts, query?: SearchParameters) => Promise<R>;
};

/** Order of the requests if the budget is too small for all: 1 is first. */
export type Priority = 1 | 2 | 3 | 4;

/** An endpoint of a hosted service. */
export type HostedEndpoint<A> = Polled<A, true> & {
  readonly scope: "hosted";
  readonly service: HostedService;
  readonly resource: Resource<unknown>;
  /** Compute units of one request. */
  readonly units: number;
  readonly priority: Priority;
  readonly keys: (wanted: HostedSubjects) => readonly string[];
  ask(api: HostedApi, key: string, wanted: HostedSubjects, previous: A | undefined): Promise<A>;
  /** The part of an answer that still holds at a later time; the same object if all of it does. Called before answers are read. */
  still?(answer: A, key: string, now: number): A;
};

export type Definition<A> = Pick<HostedEndpoint<A>, "every" | "units" | "priority"> &
  Pick<HostedEndpoint<A>, "keys" | "ask" | "still" | "optional" | "follows"> &
  Partial<Pick<HostedEndpoint<A>, "about" | "methods">> & { readonly id: `${HostedService}.${string}` };

/** Deadline in seconds; a page of a large listing is slow. */
const TIMEOUT = 20;

/** An endpoint of the service that its id begins with; `about` and `methods` are those of the resource by default. */
export function hostedEndpoint<A>(resource: Resource<unknown>, definition: Definition<A>): HostedEndpoint<A> {
  const { name, about } = resource;
  const service = definition.id.startsWith("data.") ? "data" : "metrics";
  return { about, methods: [name], ...definition, resource, scope: "hosted", service, timeout: TIMEOUT, keyed: true };
}

/** A resource of a hosted service. */
export function getResource<R>(path: string, about: string, result: z.ZodType<R>): Resource<R> {
  return { name: `GET ${path}`, path, about, result };
}

/** The part of each answer that tells when it was read and whether it is whole. */
export type Dated = {
  /** Unix seconds of the poll. */
  readonly at: number;
  /** The listing has more pages than `maxPages`. */
  readonly truncated?: boolean | undefined;
  /** Of a listing. */
  readonly invalidRows?: InvalidRows | undefined;
};

/** A key of several parts without spaces. */
export const keyOf = (...parts: readonly string[]): string => parts.join(" ");
/** The parts of a key; missing ones are empty. */
export function partsOf(key: string): readonly [string, string, string] {
  const [first = "", second = "", third = ""] = key.split(" ");
  return [first, second, third];
}

export const onChainKeys = (items: readonly OnChain[]): readonly string[] =>
  items.map(({ chain, address }) => keyOf(chain, address));

/** `nextPageToken` of a listing; `undefined` for null and "". */
const nextPageToken = z
  .string()
  .nullish()
  .transform((token) => (token === null || token === "" ? undefined : token));

/** A page of a listing as it is read. */
export type Page<R> = {
  readonly nextPageToken?: string | undefined;
  readonly rows: readonly R[];
  /** What each row is, by its whole text: a row that moves to the next page while pages are read is on both. */
  readonly rowIds: readonly string[];
  readonly invalidRows: InvalidRows | undefined;
};

/** A page of a listing with its rows in `field`; see `rows` of the fields that a row can lose. */
export function pageOf<R>(field: string, item: z.ZodType<R>, losable: readonly string[] = []): z.ZodType<Page<R>> {
  const read = rows(item, losable);
  const parts = z.object({ nextPageToken, [field]: read, rowIds: z.array(z.string()).default([]) });
  const page = parts.transform((each): Page<R> => ({
    nextPageToken: each["nextPageToken"] as z.output<typeof nextPageToken>,
    rowIds: each["rowIds"] as readonly string[],
    ...(each[field] as z.output<typeof read>),
  }));
  return z.preprocess((raw) => {
    const listed = fieldAt(raw, field);
    return Array.isArray(listed) ? { ...(raw as object), rowIds: listed.map((row) => JSON.stringify(row)) } : raw;
  }, page);
}

type Listing<P extends Page<unknown>> = {
  readonly pages: readonly P[];
  readonly rows: ReadonlyArray<P["rows"][number]>;
  readonly dated: Dated;
};

/** Items on a page. */
export const PAGE_SIZE: SearchParameters[number] = ["pageSize", "100"];

/**
 * Reads a listing, up to `maxPages` pages or until `enough` returns true. An expired token restarts the listing from its first
 * page, once.
 * @throws ApiError of the failed page; `schema` if a token repeats
 */
export async function listing<P extends Page<unknown>>(
  api: HostedApi,
  resource: Resource<P>,
  parts: Parts,
  maxPages: number,
  query: SearchParameters = [PAGE_SIZE],
  enough: (pages: readonly P[]) => boolean = () => false,
): Promise<Listing<P>> {
  const read = async (pages: P[]): Promise<Listing<P>> => {
    const tokens = new Set<string>();
    let token: string | undefined;
    do {
      const page = await api.get(resource, parts, token === undefined ? query : [...query, ["pageToken", token]]);
      pages.push(page);
      token = enough(pages) ? undefined : page.nextPageToken;
      if (token !== undefined && tokens.has(token))
        throw new ApiError({ reason: "schema", message: "nextPageToken repeats an earlier page" });
      if (token !== undefined) tokens.add(token);
    } while (token !== undefined && pages.length < maxPages);
    const rows = new Map(pages.flatMap((page) => page.rows.map((row, at) => [page.rowIds[at], row])));
    return {
      pages,
      rows: [...rows.values()] as ReadonlyArray<P["rows"][number]>,
      dated: { at: api.now, truncated: token !== undefined, invalidRows: sumOf(pages) },
    };
  };
  const pages: P[] = [];
  return read(pages).catch((error: unknown) => {
    // The first page succeeded: nothing but the token can be refused.
    if (pages.length === 0 || !isRefusal(error)) throw error;
    return read([]);
  });
}

function sumOf(pages: ReadonlyArray<Page<unknown>>): InvalidRows | undefined {
  const invalid = pages.flatMap(({ invalidRows = [] }) => invalidRows);
  const count = invalid.reduce((sum, each) => sum + each.count, 0);
  return invalid[0] && { ...invalid[0], count };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 410, 422].includes(error.failure.status ?? 0);
}
