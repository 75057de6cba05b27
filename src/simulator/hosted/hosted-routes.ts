import { bech32Fault, isNodeId } from "../world/ids.ts";
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
import { isDaily, isSubject, METRICS, pointsOf, type Interval } from "./hosted-series.ts";
import { pendingRewardsOf, proposedBlocks, rewardsOf, utxosOf, validationsOf } from "./hosted-staking.ts";
import { CHAIN_IDS, chainRecord, evmHeight, isTestnet, type Happenings, type HostedView } from "./hosted-world.ts";

/** What each path of the two services answers, before pages, keys and rates. */

export type Asked = { readonly parts: readonly string[]; readonly query: URLSearchParams; readonly view: HostedView };

/** A whole answer, a listing to be cut into pages, or the reason why the question is refused. */
export type Answer =
  | { readonly whole: object }
  | {
      readonly list: string;
      readonly length: number;
      readonly items: (from: number, to: number) => readonly object[];
      readonly beside: object;
      readonly most: number;
      readonly usual?: number;
    }
  | { readonly status: number; readonly message: string | readonly string[] };

export type Route = {
  readonly pattern: RegExp;
  readonly units: number;
  readonly answer: (asked: Asked) => Answer;
};

const refuse = (message: string | readonly string[], status = 400): Answer => ({ status, message });

function all(list: string, items: readonly object[], beside: object = {}, most = 100): Answer {
  return { list, length: items.length, items: (from, to) => items.slice(from, to), beside, most };
}

function lazy(list: string, { times, make }: Happenings, beside: object = {}): Answer {
  return { list, length: times.length, items: (from, to) => times.slice(from, to).map(make), beside, most: 100 };
}

const HEX = /^0x[0-9a-fA-F]{40}$/;
const CHAIN_NAMES = ["p-chain", "x-chain", "c-chain"];
const networkOf = (word: string | undefined): string | undefined =>
  word === "mainnet" ? "mainnet" : word === "fuji" || word === "testnet" ? "fuji" : undefined;

/** Checks what an EVM path names before `answer` is asked. */
function onChain(answer: (chainId: string, address: string, asked: Asked) => Answer) {
  return (asked: Asked): Answer => {
    const [chainId = "", address = ""] = asked.parts;
    if (!CHAIN_IDS.includes(chainId)) return refuse(`Unsupported chainId ${chainId}`, 404);
    return HEX.test(address) ? answer(chainId, address, asked) : refuse("Invalid address");
  };
}

/** Blocks from startBlock (inclusive) to endBlock (exclusive). */
function withinBlocks(happened: Happenings, { query, view }: Asked): Happenings {
  const from = Number(query.get("startBlock") ?? 0);
  const to = Number(query.get("endBlock") ?? Infinity);
  const times = happened.times.filter(({ at }) => {
    const height = evmHeight(view, at);
    return height >= from && height < to;
  });
  return { ...happened, times: query.get("sortOrder") === "asc" ? times.reverse() : times };
}

const transfers = (list: TransferList) =>
  onChain((chainId, address, asked) =>
    lazy("transactions", withinBlocks(transfersOf(asked.view, list, chainId, address), asked)),
  );

/** Who is rewarded for staking on a node. */
const SOMEBODY = "avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae";

function filtersOf(query: URLSearchParams) {
  const listOf = (name: string) => (query.get(name) ?? "").split(",").filter(Boolean);
  return { addresses: listOf("addresses"), nodeIds: listOf("nodeIds") };
}

function rewards({ parts: [word], query, view }: Asked): Answer {
  const network = networkOf(word);
  const { addresses, nodeIds } = filtersOf(query);
  if (network === undefined) return refuse("network must be one of: mainnet, fuji, testnet");
  if (addresses.length + nodeIds.length === 0) return refuse(["addresses or nodeIds should not be empty"]);
  const currency = query.get("currency") ?? "usd";
  const records = [
    ...nodeIds.flatMap((nodeId) => rewardsOf(view, network, nodeId, SOMEBODY, currency)),
    ...addresses.flatMap((address) =>
      rewardsOf(view, network, "NodeID-8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu", address, currency),
    ),
  ];
  return all("historicalRewards", records);
}

function pending({ parts: [word], query, view }: Asked): Answer {
  const network = networkOf(word);
  if (view.dialect === "spec") return refuse("Cannot GET", 404);
  if (network === undefined) return refuse("network must be one of: mainnet, fuji, testnet");
  const { addresses, nodeIds } = filtersOf(query);
  if (addresses.length + nodeIds.length === 0) return refuse(["addresses or nodeIds should not be empty"]);
  return all("pendingRewards", [
    ...nodeIds.flatMap((nodeId) => pendingRewardsOf(view, network, nodeId, SOMEBODY)),
    ...addresses.flatMap((address) => pendingRewardsOf(view, network, undefined, address)),
  ]);
}

function utxos({ parts: [word, chain = ""], query, view }: Asked): Answer {
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

function validators({ parts: [word, nodeId = ""], query, view }: Asked): Answer {
  if (networkOf(word) === undefined) return refuse("network must be one of: mainnet, fuji, testnet");
  if (!isNodeId(nodeId)) return refuse("Invalid nodeId");
  const wanted = query.get("validationStatus");
  const records = validationsOf(view, nodeId);
  return all(
    "validators",
    records.filter((each) => wanted === null || (each as { validationStatus: string }).validationStatus === wanted),
  );
}

function blocks({ parts: [word, chain = "", nodeId = ""], query, view }: Asked): Answer {
  const network = networkOf(word);
  if (network === undefined || !CHAIN_NAMES.includes(chain)) return refuse("Invalid blockchainId");
  if (!isNodeId(nodeId)) return refuse("Invalid nodeId");
  const from = Number(query.get("startTimestamp") ?? 0);
  const to = Number(query.get("endTimestamp") ?? Infinity);
  const happened = proposedBlocks(view, chain, nodeId);
  const times = happened.times.filter(({ at }) => at > from && at < to);
  return lazy("blocks", { ...happened, times }, { chainInfo: { chainName: chain, network } });
}

function chains({ query, view }: Asked): Answer {
  const network = query.get("network");
  const feature = query.get("feature");
  const records = CHAIN_IDS.filter((id) => network === null || isTestnet(id) === (network !== "mainnet"))
    .map((id) => chainRecord(view, id))
    .filter(
      (each) => feature === null || ((each as { enabledFeatures?: string[] }).enabledFeatures ?? []).includes(feature),
    );
  return { whole: { chains: records } };
}

function oneToken({ parts: [chainId = "", address = "", tokenId = ""], view }: Asked): Answer {
  if (!CHAIN_IDS.includes(chainId)) return refuse(`Unsupported chainId ${chainId}`, 404);
  const index = Number(tokenId);
  return index < collectionSize(view, address) ? { whole: nft(view, address, index) } : refuse("Token not found", 404);
}

const CHAIN = "/v1/chains/([^/]+)";
const NETWORK = "/v1/networks/([^/]+)";

export const DATA_ROUTES: readonly Route[] = [
  { pattern: route("/v1/chains"), units: 1, answer: chains },
  {
    pattern: route(CHAIN),
    units: 1,
    answer: ({ parts: [id = ""], view }) =>
      CHAIN_IDS.includes(id) ? { whole: chainRecord(view, id) } : refuse(`Unsupported chainId ${id}`, 404),
  },
  {
    pattern: route(`${CHAIN}/addresses/([^/]+)/transactions`),
    units: 20,
    answer: onChain((id, address, asked) =>
      lazy("transactions", withinBlocks(transactionsOf(asked.view, id, address), asked)),
    ),
  },
  { pattern: route(`${CHAIN}/addresses/([^/]+)/transactions:listErc20`), units: 20, answer: transfers("listErc20") },
  { pattern: route(`${CHAIN}/addresses/([^/]+)/transactions:listErc721`), units: 20, answer: transfers("listErc721") },
  {
    pattern: route(`${CHAIN}/addresses/([^/]+)/transactions:listErc1155`),
    units: 20,
    answer: transfers("listErc1155"),
  },
  {
    pattern: route(`${CHAIN}/contracts/([^/]+)/transactions:getDeployment`),
    units: 20,
    answer: onChain((id, address, { view, query }) => ({
      whole: deploymentOf(view, id, address, query.get("currency") ?? "usd"),
    })),
  },
  {
    pattern: route(`${CHAIN}/addresses/([^/]+)/balances:listErc721`),
    units: 20,
    answer: onChain((id, address, { view }) =>
      all(
        "erc721TokenBalances",
        erc721Balances(view, id, address),
        { nativeTokenBalance: nativeBalance(view, id, address) },
        500,
      ),
    ),
  },
  {
    pattern: route(`${CHAIN}/nfts/collections/([^/]+)/tokens`),
    units: 20,
    answer: onChain((_, address, { view }) => ({
      list: "tokens",
      length: collectionSize(view, address),
      items: (from, to) =>
        Array.from({ length: Math.min(to, collectionSize(view, address)) - from }, (_each, i) =>
          nft(view, address, from + i),
        ),
      beside: {},
      most: 100,
    })),
  },
  { pattern: route(`${CHAIN}/nfts/collections/([^/]+)/tokens/([^/]+)`), units: 20, answer: oneToken },
  { pattern: route(`${NETWORK}/blockchains/([^/]+)/utxos`), units: 100, answer: utxos },
  { pattern: route(`${NETWORK}/rewards`), units: 100, answer: rewards },
  { pattern: route(`${NETWORK}/rewards:listPending`), units: 100, answer: pending },
  { pattern: route(`${NETWORK}/validators/([^/]+)`), units: 20, answer: validators },
  { pattern: route(`${NETWORK}/blockchains/([^/]+)/nodes/([^/]+)/blocks`), units: 20, answer: blocks },
];

/** @param lag seconds that the series are behind */
export function metricRoutes(lag: () => number): readonly Route[] {
  return [
    {
      pattern: route("/v2/chains/([^/]+)/metrics/([^/]+)"),
      units: 100,
      answer({ parts: [chainId = "", metric = ""], query, view }) {
        const interval = query.get("timeInterval") ?? "day";
        if (!(METRICS as readonly string[]).includes(metric))
          return refuse([`metric must be one of ${METRICS.join(", ")}`]);
        if (!isSubject(chainId)) return refuse(`Chain ${chainId} not found`, 404);
        if (!["hour", "day", "week", "month"].includes(interval))
          return refuse(["timeInterval must be one of hour, day, week, month"]);
        if (interval !== "day" && isDaily(metric))
          return refuse(`timeInterval ${interval} is not supported for ${metric}`);
        const from = Number(query.get("startTimestamp") ?? 0);
        const to = Number(query.get("endTimestamp") ?? Infinity);
        const points = pointsOf(view, chainId, metric, interval as Interval, { lag: lag(), from, to });
        return { ...all("results", points, {}, 2160), usual: 100 };
      },
    },
    {
      pattern: route("/v1/avg_tps/([^/]+)"),
      units: 100,
      answer({ parts: [chainId = ""], view }) {
        if (!isSubject(chainId)) return refuse(`Chain ${chainId} not found`, 404);
        const points = pointsOf(view, chainId, "avgTps", "day", { lag: lag() });
        const lastRun = view.now - lag() - (view.now % 900);
        return { ...all("results", points, { status: 200, lastRun }), usual: 100 };
      },
    },
  ];
}

function route(path: string): RegExp {
  return new RegExp(`^${path}$`);
}
