import { DataBlocks, ProposedBlocks, type Proposals } from "../../api/hosted/data-validators.ts";
import { networkRows } from "./hosted-rows.ts";
import { perRow } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";

const SOURCE = `${ProposedBlocks.name},`;
type Given = { readonly answers: ReadonlyMap<string, Proposals> };

const { gauge, counter } = perRow(networkRows(["chain", "node_id"], ({ answers }: Given) => answers));

export const hostedBlocks = hostedTopic(
  { id: "hosted-blocks", about: "Does each watched validator propose blocks?", needs: { answers: DataBlocks } },
  {
    blocks: counter(
      "avax_hosted_proposed_blocks_total",
      `Blocks that the node proposed since it was first polled (${SOURCE} \`blocks\`).`,
      ({ blocks }) => blocks,
    ),
    transactions: counter(
      "avax_hosted_proposed_transactions_total",
      `Transactions in the blocks that the node proposed since it was first polled (${SOURCE} \`txCount\`).`,
      ({ transactions }) => transactions,
    ),
    bytes: counter(
      "avax_hosted_proposed_bytes_total",
      `Size of the blocks that the node proposed since it was first polled (${SOURCE} \`blockSizeBytes\`).`,
      ({ bytes }) => bytes,
    ),
    last: gauge(
      "avax_hosted_last_proposed_block_timestamp_seconds",
      `When the node last proposed a block (${SOURCE} \`blockTimestamp\`).`,
      ({ behind, lastAt }) => (behind ? undefined : lastAt),
    ),
    height: gauge(
      "avax_hosted_last_proposed_block_height",
      `Height of the last block that the node proposed (${SOURCE} \`blockNumber\`).`,
      ({ behind, lastBlock }) => (behind ? undefined : lastBlock),
    ),
  },
);
