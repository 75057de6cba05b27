import { lag } from "../../../src/topics/chains/lag.ts";
import { platformBlocks } from "../../../src/topics/chains/platform-blocks.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { txFees } from "../../../src/topics/network/upgrades.ts";
import type { Mappings } from "../parts/format.ts";
import { type Row, lines, stat } from "../parts/panels.ts";
import { column, table } from "../parts/table.ts";
import { NETWORK, select } from "../parts/selectors.ts";

const of = select(NETWORK);
const { metrics: block } = platformBlocks;
const FREE: Mappings = { 0: ["free", "text"] };

export const platformRow: Row = {
  title: "P-Chain",
  collapsed: true,
  legend: "{{network}}",
  panels: [
    stat(
      "Skipped blocks",
      "P-Chain blocks in the selected time range that the exporter could not read. The other counts lack them.",
      `increase(${of(block.skipped)}[$__range])`,
      { height: 8, decimals: 0, alerts: ["AvaxPlatformBlocksSkipped"] },
    ),
    stat(
      "Uncounted blocks",
      "P-Chain blocks between the last counted one and the highest of all polled nodes.",
      `clamp_min(${where(lag.metrics.highest, { ...NETWORK, chain: "P" })} - on (instance, job, network) ${of(block.height)}, 0)`,
      { height: 8 },
    ),
    lines(
      "Transactions per minute",
      "P-Chain transactions by kind.",
      [`60 * sum by (network, kind) (rate(${of(block.transactions)}[$__rate_interval])) > 0`, "{{network}} {{kind}}"],
      { stacked: true },
    ),
    table(
      "Fixed fees (AVAX)",
      "Fee of each kind of transaction in AVAX. Polled only where configured, because each request leaves a warning in the node's log.",
      {
        width: 7,
        noValue: "not polled",
        labels: { network: { title: "Network", width: 85 }, kind: { title: "Transaction" } },
        columns: [column("AVAX", of(txFees.metrics.fee), { unit: "locale", mappings: FREE, width: 75 })],
      },
    ),
  ],
};
