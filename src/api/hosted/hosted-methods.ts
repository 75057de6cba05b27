import { z } from "zod";
import { CHAIN_METRIC_NAMES, LegacyAvgTps } from "./chain-metrics.ts";
import { AddressTransactions, STANDARDS, transfersOf } from "./data-activity.ts";
import { ChainById, SupportedChains } from "./data-chains.ts";
import { CollectionToken, CollectionTokens, Deployment, Erc721Balances } from "./data-holdings.ts";
import { HistoricalRewards, PendingRewards } from "./data-rewards.ts";
import { UtxosByAddress } from "./data-utxos.ts";
import { ProposedBlocks, ValidatorDetails } from "./data-validators.ts";
import { getResource, type Service } from "./hosted.ts";

/** A path of a hosted service, for the command `call`. */
export type HostedMethod = {
  readonly service: Service;
  /** `GET` and the path with `{names}`. */
  readonly name: string;
  readonly path: string;
  readonly about: string;
};

const DATA = [
  SupportedChains,
  ChainById,
  AddressTransactions,
  ...STANDARDS.map(transfersOf),
  Erc721Balances,
  Deployment,
  CollectionTokens,
  CollectionToken,
  UtxosByAddress,
  HistoricalRewards,
  PendingRewards,
  ValidatorDetails,
  ProposedBlocks,
  getResource(
    "/v1/chains/{chainId}/transactions/{txHash}",
    "A transaction by its hash; the specification does not show its form.",
    z.unknown(),
  ),
];

const SERIES = "/v2/chains/{chainId}/metrics/{metric}";

export const HOSTED_METHODS: readonly HostedMethod[] = [
  ...DATA.map(({ name, path, about }) => ({ service: "data" as const, name, path, about })),
  {
    service: "metrics",
    name: `GET ${SERIES}`,
    path: SERIES,
    about: `A series of a chain; metric is one of ${CHAIN_METRIC_NAMES.join(", ")}.`,
  },
  { service: "metrics", name: LegacyAvgTps.name, path: LegacyAvgTps.path, about: LegacyAvgTps.about },
];

/** Names of the parameters in a path. */
export const placesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
