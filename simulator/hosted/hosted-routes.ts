import { bech32Fault, isNodeId } from "../encoding/ids.ts";
import {
  collectionSize,
  deploymentOf,
  erc721Balances,
  nativeBalance,
  nft,
  transactionsOf,
  transfersOf,
  type TransferList,
} from "./hosted-evm.ts";
import { isDaily, isSubject, METRICS, pointsOf, type SeriesInterval } from "./hosted-series.ts";
import { pendingRewardsOf, proposedBlocks, rewardsOf, utxosOf, validationsOf } from "./hosted-staking.ts";
import { CHAIN_IDS, chainRecord, evmHeight, isTestnet, type Events, type HostedView } from "./hosted-world.ts";

/** The answers of the two services by path, without pages, API keys and rate limits. */

type HostedRequest = { readonly parts: readonly string[]; readonly query: URLSearchParams; readonly view: HostedView };

/** A whole answer, a listing that is split into pages, or an error. */
export type HostedAnswer =
  | { readonly whole: object }
  | {
      readonly list: string;
      readonly length: number;
      readonly items: (from: number, to: number) => readonly object[];
      readonly beside: object;
      readonly maxSize: number;
      readonly defaultSize?: number;
    }
  | { readonly status: number; readonly message: string | readonly string[] };

export type HostedRoute = {
  readonly pattern: RegExp;
  readonly units: number;
  readonly answer: (request: HostedRequest) => HostedAnswer;
};

const refuse = (message: string | readonly string[], status = 400): HostedAnswer => ({ status, message });

function all(list: string, items: readonly object[], beside: object = {}, maxSize = 100): HostedAnswer {
  return { list, length: items.length, items: (from, to) => items.slice(from, to), beside, maxSize };
}

function lazy(list: string, { times, make }: Events, beside: object = {}): HostedAnswer {
  return { list, length: times.length, items: (from, to) => times.slice(from, to).map(make), beside, maxSize: 100 };
}

const HEX = /^0x[0-9a-fA-F]{40}$/;
const CHAIN_NAMES = ["p-chain", "x-chain", "c-chain"];
const networkOf = (word: string | undefined): string | undefined =>
  word === "mainnet" ? "mainnet" : word === "fuji" || word === "testnet" ? "fuji" : undefined;

/** Validates chain and address of an EVM path. */
function onChain(answer: (chainId: string, address: string, request: HostedRequest) => HostedAnswer) {
  return (request: HostedRequest): HostedAnswer => {
    const [chainId = "", address = ""] = request.parts;
    if (!CHAIN_IDS.includes(chainId)) return refuse(`Unsupported chainId ${chainId}`, 404);
    return HEX.test(address) ? answer(chainId, address, request) : refuse("Invalid address");
  };
}

/** Blocks from startBlock (inclusive) to endBlock (exclusive). */
function withinBlocks(events: Events, { query, view }: HostedRequest): Events {
  const from = Number(query.get("startBlock") ?? 0);
  const to = Number(query.get("endBlock") ?? Infinity);
  const times = events.times.filter(({ at }) => {
    const height = evmHeight(view, at);
    return height >= from && height < to;
  });
  return { ...events, times: query.get("sortOrder") === "asc" ? times.reverse() : times };
}

const transfers = (list: TransferList) =>
  onChain((chainId, address, request) =>
    lazy("transactions", withinBlocks(transfersOf(request.view, list, chainId, address), request)),
  );

/** Recipient of the rewards for staking on a node. */
const RECIPIENT = "avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae";

/** Validates and answers a listing of rewards; `recordsOf` returns the records of one network. */
function rewardListing(
  list: string,
  { parts: [word], query }: HostedRequest,
  recordsOf: (network: string, addresses: readonly string[], nodeIds: readonly string[]) => readonly object[],
): HostedAnswer {
  const network = networkOf(word);
  if (network === undefined) return refuse("network must be one of: mainnet, fuji, testnet");
  const listOf = (name: string) => (query.get(name) ?? "").split(",").filter(Boolean);
  const [addresses, nodeIds] = [listOf("addresses"), listOf("nodeIds")];
  if (addresses.length + nodeIds.length === 0) return refuse(["addresses or nodeIds should not be empty"]);
  return all(list, recordsOf(network, addresses, nodeIds));
}

function rewards(request: HostedRequest): HostedAnswer {
  const currency = request.query.get("currency") ?? "usd";
  const nodeOfAddresses = "NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu";
  return rewardListing("historicalRewards", request, (network, addresses, nodeIds) => [
    ...nodeIds.flatMap((nodeId) => rewardsOf(request.view, network, nodeId, RECIPIENT, currency)),
    ...addresses.flatMap((address) => rewardsOf(request.view, network, nodeOfAddresses, address, currency)),
  ]);
}

function pending(request: HostedRequest): HostedAnswer {
  if (request.view.dialect === "spec") return refuse("Cannot GET", 404);
  return rewardListing("pendingRewards", request, (network, addresses, nodeIds) => [
    ...nodeIds.flatMap((nodeId) => pendingRewardsOf(request.view, network, nodeId, RECIPIENT)),
    ...addresses.flatMap((address) => pendingRewardsOf(request.view, network, undefined, address)),
  ]);
}

function utxos({ parts: [word, chain = ""], query, view }: HostedRequest): HostedAnswer {
  const network = networkOf(word);
  if (network === undefined || !CHAIN_NAMES.includes(chain)) return refuse("Invalid blockchainId");
  const addresses = (query.get("addresses") ?? "")
    .split(",")
    .filter(Boolean)
    .map((each) => each.replace(/^[PX]-/, ""));
  const wrong = addresses.find((each) => bech32Fault(each) !== undefined);
  if (addresses.length === 0 || wrong !== undefined) return refuse(["addresses must be valid bech32 addresses"]);
  const wanted = query.get("assetId");
  const records = addresses
    .flatMap((address) => utxosOf(view, network, chain, address))
    .filter((each) => wanted === null || (each as { asset: { assetId: string } }).asset.assetId === wanted);
  return all("utxos", records, { chainInfo: { chainName: chain, network } });
}

function validators({ parts: [word, nodeId = ""], query, view }: HostedRequest): HostedAnswer {
  if (networkOf(word) === undefined) return refuse("network must be one of: mainnet, fuji, testnet");
  if (!isNodeId(nodeId)) return refuse("Invalid nodeId");
  const wanted = query.get("validationStatus");
  const records = validationsOf(view, nodeId);
  return all(
    "validators",
    records.filter((each) => wanted === null || (each as { validationStatus: string }).validationStatus === wanted),
  );
}

function blocks({ parts: [word, chain = "", nodeId = ""], query, view }: HostedRequest): HostedAnswer {
  const network = networkOf(word);
  if (network === undefined || !CHAIN_NAMES.includes(chain)) return refuse("Invalid blockchainId");
  if (!isNodeId(nodeId)) return refuse("Invalid nodeId");
  const from = Number(query.get("startTimestamp") ?? 0);
  const to = Number(query.get("endTimestamp") ?? Infinity);
  const events = proposedBlocks(view, chain, nodeId);
  const times = events.times.filter(({ at }) => at > from && at < to);
  return lazy("blocks", { ...events, times }, { chainInfo: { chainName: chain, network } });
}

function chains({ query, view }: HostedRequest): HostedAnswer {
  const network = query.get("network");
  const feature = query.get("feature");
  const records = CHAIN_IDS.filter((id) => network === null || isTestnet(id) === (network !== "mainnet"))
    .map((id) => chainRecord(view, id))
    .filter(
      (each) => feature === null || ((each as { enabledFeatures?: string[] }).enabledFeatures ?? []).includes(feature),
    );
  return { whole: { chains: records } };
}

function oneToken({ parts: [chainId = "", address = "", tokenId = ""], view }: HostedRequest): HostedAnswer {
  if (!CHAIN_IDS.includes(chainId)) return refuse(`Unsupported chainId ${chainId}`, 404);
  const index = Number(tokenId);
  return index < collectionSize(view, address) ? { whole: nft(view, address, index) } : refuse("Token not found", 404);
}

const CHAIN = "/v1/chains/([^/]+)";
const NETWORK = "/v1/networks/([^/]+)";

export const DATA_ROUTES: readonly HostedRoute[] = [
  route("/v1/chains", 1, chains),
  route(CHAIN, 1, ({ parts: [id = ""], view }) =>
    CHAIN_IDS.includes(id) ? { whole: chainRecord(view, id) } : refuse(`Unsupported chainId ${id}`, 404),
  ),
  route(
    `${CHAIN}/addresses/([^/]+)/transactions`,
    20,
    onChain((id, address, request) =>
      lazy("transactions", withinBlocks(transactionsOf(request.view, id, address), request)),
    ),
  ),
  ...(["listErc20", "listErc721", "listErc1155"] as const).map((list) =>
    route(`${CHAIN}/addresses/([^/]+)/transactions:${list}`, 20, transfers(list)),
  ),
  route(
    `${CHAIN}/contracts/([^/]+)/transactions:getDeployment`,
    20,
    onChain((id, address, { view, query }) => ({
      whole: deploymentOf(view, id, address, query.get("currency") ?? "usd"),
    })),
  ),
  // The specification names the path alone.
  route(
    `${CHAIN}/transactions/([^/]+)`,
    20,
    onChain((id, hash, { view }) => ({ whole: deploymentOf(view, id, hash, "usd") })),
  ),
  route(
    `${CHAIN}/addresses/([^/]+)/balances:listErc721`,
    20,
    onChain((id, address, { view }) => {
      const balance = { nativeTokenBalance: nativeBalance(view, id, address) };
      return all("erc721TokenBalances", erc721Balances(view, id, address), balance, 500);
    }),
  ),
  route(
    `${CHAIN}/nfts/collections/([^/]+)/tokens`,
    20,
    onChain((_, address, { view }) => {
      const length = collectionSize(view, address);
      const items = (from: number, to: number) =>
        Array.from({ length: Math.min(to, length) - from }, (_each, i) => nft(view, address, from + i));
      return { list: "tokens", length, items, beside: {}, maxSize: 100 };
    }),
  ),
  route(`${CHAIN}/nfts/collections/([^/]+)/tokens/([^/]+)`, 20, oneToken),
  route(`${NETWORK}/blockchains/([^/]+)/utxos`, 100, utxos),
  route(`${NETWORK}/rewards`, 100, rewards),
  route(`${NETWORK}/rewards:listPending`, 100, pending),
  route(`${NETWORK}/validators/([^/]+)`, 20, validators),
  route(`${NETWORK}/blockchains/([^/]+)/nodes/([^/]+)/blocks`, 20, blocks),
];

/** @param lag delay of the series in seconds */
export function metricRoutes(lag: () => number): readonly HostedRoute[] {
  return [
    route("/v2/chains/([^/]+)/metrics/([^/]+)", 100, ({ parts: [chainId = "", metric = ""], query, view }) => {
      const interval = query.get("timeInterval") ?? "day";
      if (!METRICS.includes(metric)) return refuse([`metric must be one of ${METRICS.join(", ")}`]);
      if (!isSubject(chainId)) return refuse(`Chain ${chainId} not found`, 404);
      if (!["hour", "day", "week", "month"].includes(interval))
        return refuse(["timeInterval must be one of hour, day, week, month"]);
      if (interval !== "day" && isDaily(metric))
        return refuse(`timeInterval ${interval} is not supported for ${metric}`);
      const from = Number(query.get("startTimestamp") ?? 0);
      const to = Number(query.get("endTimestamp") ?? Infinity);
      const points = pointsOf(view, chainId, metric, interval as SeriesInterval, { lag: lag(), from, to });
      return { ...all("results", points, {}, 2160), defaultSize: 100 };
    }),
    route("/v1/avg_tps/([^/]+)", 100, ({ parts: [chainId = ""], view }) => {
      if (!isSubject(chainId)) return refuse(`Chain ${chainId} not found`, 404);
      const points = pointsOf(view, chainId, "avgTps", "day", { lag: lag() });
      const lastRun = view.now - lag() - (view.now % 900);
      return { ...all("results", points, { status: 200, lastRun }), defaultSize: 100 };
    }),
  ];
}

function route(path: string, units: number, answer: HostedRoute["answer"]): HostedRoute {
  return { pattern: new RegExp(`^${path}$`), units, answer };
}
