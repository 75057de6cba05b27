import { Avalanche } from "@avalanche-sdk/chainkit";
import { ACCOUNT, NODE, WALLET } from "./hosted.ts";

/**
 * The public client of the service, for each path of the specification. It validates every answer against its own schemas and throws
 * if one is invalid.
 */

type Urls = { readonly dataUrl: string; readonly metricsUrl: string };

export const KEY = "k-123";
const ONCE = { strategy: "none" as const };
/** Maximum number of pages of one listing. */
const MAX_PAGES = 100;

/** @param apiKey `null` for a client without one */
export function hostedClient({ dataUrl }: Urls, apiKey: string | null = KEY): Avalanche {
  return new Avalanche({
    ...(apiKey === null ? {} : { apiKey }),
    chainId: "43114",
    network: "mainnet",
    serverURL: dataUrl,
    enableTelemetry: false,
  });
}

type Options = { readonly serverURL: string; readonly retries: typeof ONCE };
type Reader = (client: Avalanche, options: Options) => Promise<readonly unknown[]>;

const on = { chainId: "43114", address: ACCOUNT };

/** All pages; the client follows their tokens. */
async function pagesOf<R>(pages: Promise<AsyncIterable<{ readonly result: R }>>): Promise<readonly R[]> {
  const found: R[] = [];
  for await (const { result } of await pages) {
    found.push(result);
    if (found.length === MAX_PAGES) break;
  }
  return found;
}

const CHAIN = "GET /v1/chains/{chainId}";
const NETWORK = "GET /v1/networks/{network}";

/** Paths of the Data API by their name in the specification, and one beyond it. */
const DATA: Readonly<Record<string, Reader>> = {
  "GET /v1/chains": async ({ data }, options) => (await data.evm.chains.list({}, options)).chains,
  [CHAIN]: async ({ data }, options) => [await data.evm.chains.get({ chainId: "43114" }, options)],
  [`${CHAIN}/transactions/{txHash}`]: async ({ data }, options) => [
    await data.evm.transactions.get({ chainId: "43114", txHash: ACCOUNT }, options),
  ],
  [`${CHAIN}/addresses/{address}/transactions`]: async ({ data }, options) =>
    (await pagesOf(data.evm.address.transactions.list({ ...on, pageSize: 100 }, options))).flatMap(
      ({ transactions }) => transactions,
    ),
  [`${CHAIN}/addresses/{address}/transactions:listErc20`]: async ({ data }, options) =>
    (await pagesOf(data.evm.address.transactions.listErc20({ ...on, pageSize: 100 }, options))).flatMap(
      ({ transactions }) => transactions,
    ),
  [`${CHAIN}/addresses/{address}/transactions:listErc721`]: async ({ data }, options) =>
    (await pagesOf(data.evm.address.transactions.listErc721({ ...on, pageSize: 100 }, options))).flatMap(
      ({ transactions }) => transactions,
    ),
  [`${CHAIN}/addresses/{address}/transactions:listErc1155`]: async ({ data }, options) =>
    (await pagesOf(data.evm.address.transactions.listErc1155({ ...on, pageSize: 100 }, options))).flatMap(
      ({ transactions }) => transactions,
    ),
  [`${CHAIN}/addresses/{address}/balances:listErc721`]: async ({ data }, options) =>
    (await pagesOf(data.evm.address.balances.listErc721({ ...on, pageSize: 500 }, options))).flatMap(
      ({ erc721TokenBalances, nativeTokenBalance }) => [nativeTokenBalance, ...erc721TokenBalances],
    ),
  [`${CHAIN}/contracts/{address}/transactions:getDeployment`]: async ({ data }, options) => [
    await data.evm.contracts.getDeploymentTransaction(on, options),
  ],
  [`${CHAIN}/nfts/collections/{address}/tokens`]: async ({ data }, options) =>
    (await Promise.all(COLLECTIONS.map((address) => pagesOf(data.nfts.list({ ...on, address }, options)))))
      .flat()
      .flatMap(({ tokens }) => tokens),
  [`${CHAIN}/nfts/collections/{address}/tokens/{tokenId}`]: ({ data }, options) =>
    Promise.all(COLLECTIONS.map((address) => data.nfts.get({ ...on, address, tokenId: "1" }, options))),
  [`${NETWORK}/validators/{nodeId}`]: async ({ data }, options) =>
    (await pagesOf(data.primaryNetwork.getValidatorDetails({ nodeId: NODE, pageSize: 2 }, options))).flatMap(
      ({ validators }) => validators,
    ),
  [`${NETWORK}/blockchains/{blockchainId}/nodes/{nodeId}/blocks`]: async ({ data }, options) =>
    (
      await pagesOf(
        data.primaryNetwork.blocks.listByNodeId({ blockchainId: "p-chain", nodeId: NODE, pageSize: 100 }, options),
      )
    ).flatMap(({ blocks }) => blocks),
  [`${NETWORK}/rewards`]: async ({ data }, options) =>
    (
      await Promise.all([
        pagesOf(data.primaryNetwork.rewards.listHistoricalRewards({ nodeIds: NODE, pageSize: 4 }, options)),
        pagesOf(data.primaryNetwork.rewards.listHistoricalRewards({ addresses: WALLET }, options)),
      ])
    )
      .flat()
      .flatMap(({ historicalRewards }) => historicalRewards),
  [`${NETWORK}/rewards:listPending`]: async ({ data }, options) =>
    (
      await Promise.all([
        pagesOf(data.primaryNetwork.rewards.listPendingRewards({ nodeIds: NODE }, options)),
        pagesOf(data.primaryNetwork.rewards.listPendingRewards({ addresses: WALLET }, options)),
      ])
    )
      .flat()
      .flatMap(({ pendingRewards }) => pendingRewards),
  [`${NETWORK}/blockchains/{blockchainId}/utxos`]: async ({ data }, options) =>
    (
      await Promise.all(
        (["p-chain", "x-chain", "c-chain"] as const).map((blockchainId) =>
          pagesOf(data.primaryNetwork.utxos.listByAddresses({ blockchainId, addresses: WALLET }, options)),
        ),
      )
    )
      .flat()
      .flatMap(({ utxos }) => utxos as readonly unknown[]),
};

/** A collection of ERC-721 tokens and one of ERC-1155 tokens. */
const COLLECTIONS = [ACCOUNT, `${ACCOUNT.slice(0, -1)}3`];

/** Subjects of the series: an EVM chain, and the totals of the service. */
export const SUBJECTS = ["43114", "total", "mainnet", "testnet"] as const;

/** Reads a path with the client; `undefined` for a path that the client does not support. */
export function readerOf(path: string): ((client: Avalanche, urls: Urls) => Promise<readonly unknown[]>) | undefined {
  const reader = DATA[path];
  if (reader !== undefined) return (client, { dataUrl }) => reader(client, { serverURL: dataUrl, retries: ONCE });
  const metric = /^GET \/v2\/chains\/\{chainId\}\/metrics\/(\w+)$/.exec(path)?.[1];
  if (metric === undefined) return undefined;
  return async (client, { metricsUrl }) => {
    const series = await Promise.all(
      SUBJECTS.map((chainId) =>
        pagesOf(
          client.metrics.chains.getMetrics(
            { chainId, metric: metric as "txCount", pageSize: 100, timeInterval: "day" },
            { serverURL: metricsUrl, retries: ONCE },
          ),
        ),
      ),
    );
    return series.flat().flatMap(({ results }) => results);
  };
}
