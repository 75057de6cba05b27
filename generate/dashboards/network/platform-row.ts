import { Short } from "@grafana/grafana-foundation-sdk/units";
import { lag } from "../../../src/topics/chains/lag.ts";
import { platformBlocks } from "../../../src/topics/chains/platform-blocks.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { txFees } from "../../../src/topics/network/upgrades.ts";
import type { Mappings } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { lines, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK } from "../parts/selectors.ts";

const { metrics: block } = platformBlocks;
const FREE: Mappings = { 0: ["free", "text"] };

export const platformRow: Row = {
  id: 300,
  title: "P-Chain",
  collapsed: true,
  panels: [
    stat(
      {
        id: 303,
        title: "Skipped blocks",
        about:
          "P-Chain blocks in the selected time range that the exporter could not read. The other counts lack them.",
        width: 3,
        height: 8,
        unit: Short,
        decimals: 0,
        alerts: ["AvaxPlatformBlocksSkipped"],
      },
      [[`increase(${where(block.skipped, NETWORK)}[$__range])`, "{{network}}"]],
    ),
    stat(
      {
        id: 304,
        title: "Uncounted blocks",
        about: "P-Chain blocks between the last counted one and the highest of all polled nodes.",
        width: 3,
        height: 8,
        unit: Short,
      },
      [
        [
          `clamp_min(${where(lag.metrics.highest, { ...NETWORK, chain: "P" })} - on (instance, job, network) ${where(block.height, NETWORK)}, 0)`,
          "{{network}}",
        ],
      ],
    ),
    lines(
      {
        id: 307,
        title: "Transactions per minute",
        about: "P-Chain transactions by kind.",
        width: 11,
        unit: Short,
      },
      [
        [
          `60 * sum by (network, kind) (rate(${where(block.transactions, NETWORK)}[$__rate_interval])) > 0`,
          "{{network}} {{kind}}",
        ],
      ],
      "stacked",
    ),
    table(
      {
        id: 308,
        title: "Fixed fees (AVAX)",
        about:
          "Fee of each kind of transaction in AVAX. Polled only where configured, because each request leaves a warning in the node's log.",
        width: 7,
        unit: Short,
        noValue: "not polled",
      },
      {
        labels: { network: { title: "Network", width: 85 }, kind: { title: "Transaction" } },
        columns: [
          { title: "AVAX", expr: where(txFees.metrics.fee, NETWORK), unit: "locale", mappings: FREE, width: 75 },
        ],
      },
    ),
  ],
};
