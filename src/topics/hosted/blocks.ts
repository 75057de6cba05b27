import { DataBlocks, ProposedBlocks, type Proposals } from "../../api/hosted/data-validators.ts";
import { each, networkRows } from "./dated.ts";
import { counters, gauges, type Moment } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";

const SOURCE = `${ProposedBlocks.name},`;
const LABELS = ["network", "chain", "node_id"] as const;
type Given = { readonly answers: ReadonlyMap<string, Proposals> };

const rows = ({ answers }: Given, context: Moment) => networkRows(["chain", "node_id"], answers, context);

export const hostedBlocks = hostedTopic(
  {
    id: "hosted-blocks",
    about: "Does each watched validator propose blocks?",
    needs: { answers: DataBlocks },
  },
  {
    blocks: counters(
      "avax_hosted_proposed_blocks_total",
      `Blocks that the node proposed since it was first polled (${SOURCE} \`blocks\`).`,
      LABELS,
      each(rows, ({ blocks }) => blocks),
    ),
    transactions: counters(
      "avax_hosted_proposed_transactions_total",
      `Transactions in the blocks that the node proposed since it was first polled (${SOURCE} \`txCount\`).`,
      LABELS,
      each(rows, ({ transactions }) => transactions),
    ),
    bytes: counters(
      "avax_hosted_proposed_bytes_total",
      `Size of the blocks that the node proposed since it was first polled (${SOURCE} \`blockSizeBytes\`).`,
      LABELS,
      each(rows, ({ bytes }) => bytes),
    ),
    last: gauges(
      "avax_hosted_last_proposed_block_timestamp_seconds",
      `When the node last proposed a block (${SOURCE} \`blockTimestamp\`).`,
      LABELS,
      each(rows, ({ lastBlock }) => lastBlock),
    ),
    height: gauges(
      "avax_hosted_last_proposed_block_height",
      `Height of the last block that the node proposed (${SOURCE} \`blockNumber\`).`,
      LABELS,
      each(rows, ({ lastHeight }) => lastHeight),
    ),
  },
);
