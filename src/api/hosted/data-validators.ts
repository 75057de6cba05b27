import { z } from "zod";
import { listed, maybeField, moment, newest } from "./data-fields.ts";
import type { Resource } from "../endpoint.ts";
import { hostedEndpoint, keyOf, listing, nextPageToken, partsOf, type Dated } from "./hosted.ts";
import { count, float, navax, percent } from "../wire.ts";

/** Data API: validations of a node, and the blocks that it proposed. */

const PRIMARY_SUBNET = "11111111111111111111111111111111LpoYY";

export const VALIDATION_STATUSES = ["active", "pending", "completed", "removed"] as const;

const rewards = maybeField(
  z.object({ validationRewardAmount: maybeField(navax), delegationRewardAmount: maybeField(navax) }),
);

/** One staking period. The specification has one record; the real service a shape for each status, and others may come. */
const validation = z
  .object({
    validationStatus: z.string(),
    subnetId: z.string(),
    startTimestamp: moment,
    endTimestamp: moment,
    amountStaked: navax,
    amountDelegated: maybeField(navax),
    delegationFee: maybeField(percent),
    delegatorCount: maybeField(count),
    delegationCapacity: maybeField(navax),
    uptimePerformance: maybeField(percent),
    rewards,
    potentialRewards: rewards,
    removeTimestamp: moment,
    validatorHealth: maybeField(
      z.object({
        reachabilityPercent: maybeField(percent),
        benchedPChainRequestsPercent: maybeField(percent),
        benchedXChainRequestsPercent: maybeField(percent),
        benchedCChainRequestsPercent: maybeField(percent),
      }),
    ),
  })
  .transform(({ subnetId, validationStatus, ...rest }) => ({
    ...rest,
    status: validationStatus.toLowerCase(),
    primary: subnetId === PRIMARY_SUBNET,
  }));

export type Validation = z.output<typeof validation>;

const validationsPage = z.object({ nextPageToken, validators: listed(validation) });

export const ValidatorDetails: Resource<z.output<typeof validationsPage>> = {
  name: "GET /v1/networks/{network}/validators/{nodeId}",
  path: "/v1/networks/{network}/validators/{nodeId}",
  about: "Staking periods of a node: active, pending, completed and removed.",
  result: validationsPage,
};

export type Validations = Dated & { readonly validations: readonly Validation[] };

export const DataValidators = hostedEndpoint<Validations>({
  id: "data.validators",
  about: ValidatorDetails.about,
  methods: [ValidatorDetails.name],
  service: "data",
  units: 20,
  priority: 1,
  every: 600,
  keys: ({ validators }) => validators,
  async ask(api, nodeId, { network, maxPages }) {
    const { pages, truncated } = await listing(
      api,
      ValidatorDetails,
      { network, nodeId },
      [["pageSize", "100"]],
      maxPages,
    );
    return { at: api.now, truncated, validations: pages.flatMap(({ validators }) => validators) };
  },
});

const block = z.object({
  blockNumber: count,
  blockHash: z.string(),
  blockTimestamp: moment,
  txCount: maybeField(count),
  blockSizeBytes: maybeField(float),
});

const blocksPage = z.object({ nextPageToken, blocks: listed(block) });

export const ProposedBlocks: Resource<z.output<typeof blocksPage>> = {
  name: "GET /v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks",
  path: "/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks",
  about: "Blocks that a node proposed; those since the exporter's start are counted.",
  result: blocksPage,
};

/** Counts run from the first answer on: what was proposed before it is not counted. */
export type Proposals = Dated & {
  /** Only blocks after this are counted. Unix seconds. */
  readonly since: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly bytes: number;
  readonly lastBlock: number | undefined;
  readonly lastHeight: number | undefined;
  /** Hashes of the counted blocks at the last time, which the next answer may hold again. */
  readonly edge: readonly string[];
};

export const DataBlocks = hostedEndpoint<Proposals>({
  id: "data.blocks",
  about: ProposedBlocks.about,
  methods: [ProposedBlocks.name],
  service: "data",
  units: 20,
  priority: 2,
  every: 600,
  keys: ({ blockChains, validators }) =>
    blockChains.flatMap((chain) => validators.map((nodeId) => keyOf(chain, nodeId))),
  async ask(api, key, { network, maxPages }, previous) {
    const [blockchainId, nodeId] = partsOf(key);
    const from = previous?.lastBlock;
    // The parameter excludes its own second or does not: ask for one more and know the blocks by their hash.
    const range = from === undefined ? [] : [["startTimestamp", String(from - 1)] as const];
    const most = previous === undefined ? 1 : maxPages;
    const { pages, truncated } = await listing(
      api,
      ProposedBlocks,
      { network, blockchainId, nodeId },
      [["pageSize", "100"], ...range],
      most,
    );
    const blocks = pages.flatMap((page) => page.blocks);
    return follow(previous, blocks, api.now, previous !== undefined && truncated);
  },
});

function follow(
  previous: Proposals | undefined,
  answer: ReadonlyArray<z.output<typeof block>>,
  at: number,
  truncated: boolean,
): Proposals {
  const since = previous?.since ?? at;
  const known = new Set(previous?.edge);
  const after = previous?.lastBlock ?? -Infinity;
  const fresh = [...new Map(answer.map((each) => [each.blockHash, each])).values()].filter(
    ({ blockHash, blockTimestamp = 0 }) => blockTimestamp >= after && !known.has(blockHash),
  );
  const counted = previous === undefined ? [] : fresh.filter(({ blockTimestamp = 0 }) => blockTimestamp >= since);
  const lastBlock = newest([previous?.lastBlock, ...fresh.map(({ blockTimestamp }) => blockTimestamp)]);
  const edge = fresh.filter(({ blockTimestamp }) => blockTimestamp === lastBlock).map(({ blockHash }) => blockHash);
  return {
    at,
    truncated,
    since,
    blocks: (previous?.blocks ?? 0) + counted.length,
    transactions: counted.reduce((sum, { txCount }) => sum + (txCount ?? 0), previous?.transactions ?? 0),
    bytes: counted.reduce((sum, { blockSizeBytes }) => sum + (blockSizeBytes ?? 0), previous?.bytes ?? 0),
    lastBlock,
    lastHeight: newest([previous?.lastHeight, ...fresh.map(({ blockNumber }) => blockNumber)]),
    edge: lastBlock === previous?.lastBlock ? [...(previous?.edge ?? []), ...edge] : edge,
  };
}
