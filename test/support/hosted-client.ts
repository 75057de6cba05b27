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

/** The records of all pages; the client follows their tokens. */
async function listed<R>(
  pages: Promise<AsyncIterable<{ readonly result: R }>>,
  records: (page: R) => readonly unknown[],
): Promise<readonly unknown[]> {
  const found: R[] = [];
  for await (const { result } of await pages) {
    found.push(result);
    if (found.length === MAX_PAGES) break;
  }
  return found.flatMap(records);
}

/** The records of several listings. */
const together = async (listings: ReadonlyArray<Promise<readonly unknown[]>>): Promise<readonly unknown[]> =>
  (await Promise.all(listings)).flat();

const transactions = (page: { readonly transactions: readonly unknown[] }) => page.transactions;
const validators = (page: { readonly validators: readonly unknown[] }) => page.validators;

const CHAIN = "GET /v1/chains/{chainId}";
const NETWORK = "GET /v1/networks/{network}";

/** Paths of the Data API by their name in the specification, and one beyond it. */
const DATA: Readonly<Record<string, Reader>> = {
  "GET /v1/chains": async ({ data }, options) => (await data.evm.chains.list({}, options)).chains,
  [CHAIN]: async ({ data }, options) => [await data.evm.chains.get({ chainId: "43114" }, options)],
  [`${CHAIN}/transactions/{txHash}`]: async ({ data }, options) => [
    await data.evm.transactions.get({ chainId: "43114", txHash: ACCOUNT }, options),
  ],
  [`${CHAIN}/addresses/{address}/transactions`]: ({ data }, options) =>
    listed(data.evm.address.transactions.list({ ...on, pageSize: 100 }, options), transactions),
  [`${CHAIN}/addresses/{address}/transactions:listErc20`]: ({ data }, options) =>
    listed(data.evm.address.transactions.listErc20({ ...on, pageSize: 100 }, options), transactions),
  [`${CHAIN}/addresses/{address}/transactions:listErc721`]: ({ data }, options) =>
    listed(data.evm.address.transactions.listErc721({ ...on, pageSize: 100 }, options), transactions),
  [`${CHAIN}/addresses/{address}/transactions:listErc1155`]: ({ data }, options) =>
    listed(data.evm.address.transactions.listErc1155({ ...on, pageSize: 100 }, options), transactions),
  [`${CHAIN}/addresses/{address}/balances:listErc721`]: ({ data }, options) =>
    listed(data.evm.address.balances.listErc721({ ...on, pageSize: 500 }, options), (page) => [
      page.nativeTokenBalance,
      ...page.erc721TokenBalances,
    ]),
  [`${CHAIN}/contracts/{address}/transactions:getDeployment`]: async ({ data }, options) => [
    await data.evm.contracts.getDeploymentTransaction(on, options),
  ],
  [`${CHAIN}/nfts/collections/{address}/tokens`]: ({ data }, options) =>
    together(COLLECTIONS.map((address) => listed(data.nfts.list({ ...on, address }, options), ({ tokens }) => tokens))),
  [`${CHAIN}/nfts/collections/{address}/tokens/{tokenId}`]: ({ data }, options) =>
    Promise.all(COLLECTIONS.map((address) => data.nfts.get({ ...on, address, tokenId: "1" }, options))),
  [`${NETWORK}/validators/{nodeId}`]: ({ data }, options) =>
    listed(data.primaryNetwork.getValidatorDetails({ nodeId: NODE, pageSize: 2 }, options), validators),
  [`${NETWORK}/blockchains/{blockchainId}/nodes/{nodeId}/blocks`]: ({ data }, options) =>
    listed(
      data.primaryNetwork.blocks.listByNodeId({ blockchainId: "p-chain", nodeId: NODE, pageSize: 100 }, options),
      ({ blocks }) => blocks,
    ),
  [`${NETWORK}/rewards`]: ({ data: { primaryNetwork } }, options) =>
    together(
      [{ nodeIds: NODE, pageSize: 4 }, { addresses: WALLET }].map((of) =>
        listed(primaryNetwork.rewards.listHistoricalRewards(of, options), (page) => page.historicalRewards),
      ),
    ),
  [`${NETWORK}/rewards:listPending`]: ({ data: { primaryNetwork } }, options) =>
    together(
      [{ nodeIds: NODE }, { addresses: WALLET }].map((of) =>
        listed(primaryNetwork.rewards.listPendingRewards(of, options), (page) => page.pendingRewards),
      ),
    ),
  [`${NETWORK}/blockchains/{blockchainId}/utxos`]: ({ data: { primaryNetwork } }, options) =>
    together(
      (["p-chain", "x-chain", "c-chain"] as const).map((blockchainId) =>
        listed(
          primaryNetwork.utxos.listByAddresses({ blockchainId, addresses: WALLET }, options),
          ({ utxos }) => utxos,
        ),
      ),
    ),
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
  return (client, { metricsUrl }) =>
    together(
      SUBJECTS.map((chainId) => {
        const asked = { chainId, metric: metric as "txCount", pageSize: 100, timeInterval: "day" } as const;
        const pages = client.metrics.chains.getMetrics(asked, { serverURL: metricsUrl, retries: ONCE });
        return listed(pages, ({ results }) => results);
      }),
    );
}
