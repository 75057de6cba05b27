import { z } from "zod";
import { added, blockTime, maybeField, moment, newest } from "./data-fields.ts";
import type { AnswerOf } from "../endpoint.ts";
import { getResource, hostedEndpoint, keyOf, listing, PAGE_SIZE, pageOf, partsOf, type Dated } from "./hosted.ts";
import { count, float, navax, percent } from "../wire.ts";

/** Data API: staking periods and proposed blocks of a node. */

const PRIMARY_SUBNET = "11111111111111111111111111111111LpoYY";

export const VALIDATION_STATUSES = ["active", "pending", "completed", "removed"] as const;

const rewards = maybeField(
  z.object({ validationRewardAmount: maybeField(navax), delegationRewardAmount: maybeField(navax) }),
);

/** One staking period. The specification has one shape, the real service one for each status; others can follow. */
const validation = z
  .object({
    validationStatus: z.string(),
    subnetId: z.string(),
    startTimestamp: moment,
    endTimestamp: moment,
    amountStaked: maybeField(navax),
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

/** Figures of one period. Its status, subnet and times say which period it is. */
const OF_PERIOD = [
  ...["amountStaked", "amountDelegated", "delegationFee", "delegatorCount", "delegationCapacity", "uptimePerformance"],
  ...["rewards", "potentialRewards", "validatorHealth"],
];

export const ValidatorDetails = getResource(
  "/v1/networks/{network}/validators/{nodeId}",
  "Staking periods of a node: active, pending, completed and removed.",
  pageOf("validators", validation, OF_PERIOD),
);

export const DataValidators = hostedEndpoint(ValidatorDetails, {
  id: "data.validators",
  units: 20,
  priority: 1,
  every: 600,
  keys: ({ validators }) => validators,
  async ask(api, nodeId, { network, maxPages }) {
    const { rows: validations, dated } = await listing(api, ValidatorDetails, { network, nodeId }, maxPages);
    return { ...dated, validations };
  },
});
export type Validations = AnswerOf<typeof DataValidators>;

const block = z.object({
  blockNumber: count,
  blockHash: z.string(),
  blockTimestamp: blockTime,
  txCount: maybeField(count),
  blockSizeBytes: maybeField(float),
});

export const ProposedBlocks = getResource(
  "/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks",
  "Blocks that a node proposed; those since the exporter's start are counted.",
  pageOf("blocks", block, ["txCount", "blockSizeBytes"]),
);

/** Counts start at the first answer: earlier blocks do not count. */
export type Proposals = Dated & {
  /** Only later blocks count. Unix seconds. */
  readonly since: number;
  readonly blocks: number;
  readonly transactions: number | undefined;
  readonly bytes: number | undefined;
  readonly lastBlock: number | undefined;
  readonly lastHeight: number | undefined;
  /** Hashes of the blocks at time `lastBlock`, which the next answer can repeat. */
  readonly edge: readonly string[];
};

export const DataBlocks = hostedEndpoint<Proposals>(ProposedBlocks, {
  id: "data.blocks",
  units: 20,
  priority: 2,
  every: 600,
  keys: ({ blockChains, validators }) =>
    blockChains.flatMap((chain) => validators.map((nodeId) => keyOf(chain, nodeId))),
  follows: true,
  async ask(api, key, { network, maxPages }, previous) {
    const [blockchainId, nodeId] = partsOf(key);
    const from = previous?.lastBlock;
    // Servers differ in whether startTimestamp is inclusive: request one second more and skip known hashes.
    const range = from === undefined ? [] : [["startTimestamp", String(from - 1)] as const];
    const parts = { network, blockchainId, nodeId };
    const most = previous === undefined ? 1 : maxPages;
    const { rows: blocks, dated } = await listing(api, ProposedBlocks, parts, most, [PAGE_SIZE, ...range]);
    return follow(previous, blocks, { ...dated, truncated: previous !== undefined && dated.truncated });
  },
});

function follow(
  previous: Proposals | undefined,
  answer: ReadonlyArray<z.output<typeof block>>,
  dated: Dated,
): Proposals {
  const since = previous?.since ?? dated.at;
  const { blocks, transactions, bytes } = previous ?? { blocks: 0, transactions: 0, bytes: 0 };
  const known = new Set(previous?.edge);
  const after = previous?.lastBlock ?? -Infinity;
  const fresh = [...new Map(answer.map((each) => [each.blockHash, each])).values()].filter(
    ({ blockHash, blockTimestamp }) => blockTimestamp >= after && !known.has(blockHash),
  );
  const counted = previous === undefined ? [] : fresh.filter(({ blockTimestamp }) => blockTimestamp >= since);
  const lastBlock = newest([previous?.lastBlock, ...fresh.map(({ blockTimestamp }) => blockTimestamp)]);
  const edge = fresh.filter(({ blockTimestamp }) => blockTimestamp === lastBlock).map(({ blockHash }) => blockHash);
  return {
    ...dated,
    since,
    blocks: blocks + counted.length,
    transactions: added(
      transactions,
      counted.map(({ txCount }) => txCount),
    ),
    bytes: added(
      bytes,
      counted.map(({ blockSizeBytes }) => blockSizeBytes),
    ),
    lastBlock,
    lastHeight: newest([previous?.lastHeight, ...fresh.map(({ blockNumber }) => blockNumber)]),
    edge: lastBlock === previous?.lastBlock ? [...(previous?.edge ?? []), ...edge] : edge,
  };
}
