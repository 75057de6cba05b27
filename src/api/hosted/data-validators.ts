import { z } from "zod";
import { added, blockTime, maybeField, moment, pastMoment, positive } from "./data-fields.ts";
import type { AnswerOf } from "../endpoint.ts";
import { newEvents, type FollowedEvents } from "./followed-events.ts";
import { getResource, hostedEndpoint, keyOf, listing, pageOf, partsOf } from "./hosted-endpoint.ts";
import { count, MOST, navax, percent, tally } from "../wire.ts";

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
    delegatorCount: maybeField(tally),
    delegationCapacity: maybeField(navax),
    uptimePerformance: maybeField(percent),
    rewards,
    potentialRewards: rewards,
    removeTimestamp: pastMoment,
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
  blockTimestamp: blockTime,
  txCount: maybeField(tally),
  blockSizeBytes: maybeField(positive(MOST.counted)),
});

export const ProposedBlocks = getResource(
  "/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks",
  "Blocks that a node proposed; those since the exporter's start are counted.",
  pageOf("blocks", block, ["txCount", "blockSizeBytes"]),
);

export type Proposals = FollowedEvents & {
  readonly blocks: number;
  readonly transactions: number | undefined;
  readonly bytes: number | undefined;
};
const NO_BLOCKS = { blocks: 0, transactions: 0, bytes: 0 };

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
    const parts = { network, blockchainId, nodeId };
    const { counted, position } = await newEvents(api, ProposedBlocks, parts, maxPages, previous, (before) =>
      before?.lastAt === undefined ? [] : [["startTimestamp", String(before.lastAt - 1)]],
    );
    // A block that comes while pages are read moves others to the next page.
    const each = [...new Map(counted.map((found) => [found.blockNumber, found])).values()];
    const { blocks, transactions, bytes } = previous ?? NO_BLOCKS;
    return {
      ...position,
      blocks: blocks + each.length,
      transactions: added(transactions, each, ({ txCount }) => txCount),
      bytes: added(bytes, each, ({ blockSizeBytes }) => blockSizeBytes),
    };
  },
});
