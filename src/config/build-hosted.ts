import { NOTHING_WANTED, type Service } from "../api/hosted/hosted.ts";
import { unitsPerDay } from "../api/hosted/hosted-endpoints.ts";
import type { Config, EndpointSettings, HostedConfig } from "./config.ts";
import type { NamedFiles } from "./read/read-named-files.ts";
import type { DataApiInput, MetricsApiInput } from "./schema/hosted-section.ts";
import { pathKey, warn, type Findings } from "./tree.ts";
import { addressNames, watchedAccounts, watchedWallets } from "./schema/watched-on-hosted.ts";

/** AVAX is an asset like others; its ID is the network's genesis. */
const AVAX_ASSETS: Readonly<Record<string, string>> = {
  mainnet: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
  fuji: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
  testnet: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
};

const or = <T>(list: readonly T[], other: readonly T[]): readonly T[] => [...new Set(list.length === 0 ? other : list)];

/** The section `data_api`; what it does not name is taken from the watch list. */
export function buildDataApi(
  input: DataApiInput,
  { watch, subnets }: Pick<Config, "watch" | "subnets">,
  files: NamedFiles,
): HostedConfig {
  const { network } = input;
  const given = input.wallets?.map((address) => address.replace(/^[PXC]-/, ""));
  const wallets = [...new Set(given ?? watchedWallets(watch.addresses, network))];
  const accounts =
    input.accounts?.flatMap(({ address, chains }) => chains.map((chain) => ({ chain, address }))) ??
    watchedAccounts(watch.addresses, network, input.chains, subnets);
  const watched = [...watch.validators, ...(watch.validatorsByNetwork[network === "testnet" ? "fuji" : network] ?? [])];
  return {
    ...connection("data_api", input, files),
    wanted: {
      ...NOTHING_WANTED,
      network,
      avaxAssetId: input.avax_asset_id ?? AVAX_ASSETS[network],
      validators: [...new Set(input.validators ?? watched)],
      wallets,
      utxoChains: or(input.utxo_chains, ["p-chain"]),
      blockChains: or(input.block_chains, ["p-chain"]),
      accounts,
      names: addressNames([...wallets, ...accounts.map(({ address }) => address)], watch.addresses),
      chains: [...new Set(input.chains)],
      tokens: input.tokens,
      contracts: input.contracts,
      collections: input.collections.map(({ chain, address }) => ({ chain, address })),
      nfts: input.collections.flatMap(({ chain, address, token_ids: ids }) =>
        ids.map((tokenId) => ({ chain, address, tokenId })),
      ),
      currency: input.currency,
      maxPages: input.max_pages,
    },
  };
}

/** The section `metrics_api`. */
export function buildMetricsApi(input: MetricsApiInput, files: NamedFiles): HostedConfig {
  return {
    ...connection("metrics_api", input, files),
    wanted: {
      ...NOTHING_WANTED,
      metricChains: or(input.chains, ["43114"]),
      intervals: or(input.intervals, ["day", "hour"]),
      maxPages: input.max_pages,
    },
  };
}

function connection(
  section: string,
  input: DataApiInput | MetricsApiInput,
  files: NamedFiles,
): Omit<HostedConfig, "wanted"> {
  const key = input.key ?? files.get(pathKey([section, "key_file"]));
  return {
    url: input.url,
    keyHeader: input.key_header.toLowerCase(),
    ...(key === undefined ? {} : { key }),
    budget: { perMinute: input.budget?.per_minute ?? 6000, perDay: input.budget?.per_day ?? 1_200_000 },
  };
}

/** Warns when more is asked for than the budget of a day allows: answers would come late. */
export function warnOfDemand(
  service: Service,
  config: HostedConfig,
  endpoints: Readonly<Record<string, EndpointSettings>>,
  findings: Findings,
): void {
  const { perMinute, perDay } = config.budget;
  const allowed = Math.round(Math.min(perDay, perMinute * 1440) * 0.9);
  const asked = Math.round(unitsPerDay(service, config.wanted, endpoints));
  if (asked <= allowed) return;
  const section = service === "data" ? "data_api" : "metrics_api";
  warn(
    findings,
    [section],
    `about ${asked} units a day are asked for and ${allowed} can be spent: answers will come late; ask less often (endpoints), about less, or raise the budget to what your key allows`,
  );
}
