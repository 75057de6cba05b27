import { DataBlocks, ProposedBlocks, type Proposals } from "../../api/hosted/data-validators.ts";
import { partsOf } from "../../api/hosted/hosted.ts";
import { answeredAt, truncated } from "./dated.ts";
import { counters, gauges, type Moment } from "../../catalogue/metric.ts";
import { hostedTopic } from "../../catalogue/topic.ts";

const SOURCE = `${ProposedBlocks.name},`;
const LABELS = ["network", "chain", "node_id"] as const;
type Given = { readonly answers: ReadonlyMap<string, Proposals> };

const rows = ({ answers }: Given, { networkLabel: network }: Moment) =>
  [...answers].map(([key, answer]) => {
    const [chain, node_id] = partsOf(key);
    return [{ network, chain, node_id }, answer] as const;
  });

export const hostedBlocks = hostedTopic(
  {
    id: "hosted-blocks",
    about: "Does each watched validator propose blocks?",
    needs: { answers: DataBlocks },
  },
  {
    blocks: counters(
      "avax_indexed_proposed_blocks_total",
      `Blocks that the node proposed since it is followed (${SOURCE} \`blocks\`).`,
      LABELS,
      (data: Given, context) => rows(data, context).map(([row, { blocks }]) => [row, blocks]),
    ),
    transactions: counters(
      "avax_indexed_proposed_transactions_total",
      `Transactions in the blocks that the node proposed since it is followed (${SOURCE} \`txCount\`).`,
      LABELS,
      (data: Given, context) => rows(data, context).map(([row, { transactions }]) => [row, transactions]),
    ),
    bytes: counters(
      "avax_indexed_proposed_bytes_total",
      `Size of the blocks that the node proposed since it is followed (${SOURCE} \`blockSizeBytes\`).`,
      LABELS,
      (data: Given, context) => rows(data, context).map(([row, { bytes }]) => [row, bytes]),
    ),
    last: gauges(
      "avax_indexed_last_proposed_block_timestamp_seconds",
      `When the node last proposed a block (${SOURCE} \`blockTimestamp\`).`,
      LABELS,
      (data: Given, context) => rows(data, context).map(([row, { lastBlock }]) => [row, lastBlock]),
    ),
    height: gauges(
      "avax_indexed_last_proposed_block_height",
      `Height of the block that the node proposed last (${SOURCE} \`blockNumber\`).`,
      LABELS,
      (data: Given, context) => rows(data, context).map(([row, { lastHeight }]) => [row, lastHeight]),
    ),
    truncated: truncated("avax_indexed_proposed_blocks_truncated", ProposedBlocks.name, LABELS, rows),
    answered: answeredAt("avax_indexed_proposed_blocks_answer_timestamp_seconds", ProposedBlocks.name, LABELS, rows),
  },
);
