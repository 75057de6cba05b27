import type { Board } from "../parts/board.ts";
import { NODES_DOWN, off, UPGRADES, VERSIONS } from "../parts/annotations.ts";
import { chainMetricsRow } from "./chain-metrics-row.ts";
import { evmRow } from "./evm-row.ts";
import { historyRow } from "./history-row.ts";
import { platformRow } from "./platform-row.ts";
import { setRow } from "./set-row.ts";
import { stakeRow } from "./stake-row.ts";
import { upgradeRow } from "./upgrade-row.ts";

export const networkBoard: Board = {
  uid: "avax-network",
  title: "Network and upgrades",
  about:
    "A network as a whole: whether it makes blocks, its validators and stake, its readiness for the next upgrade, and the activity of its chains.",
  variables: [{ one: "network" }, "node", "chain"],
  annotations: [off(UPGRADES), off(NODES_DOWN), off(VERSIONS)],
  rows: [setRow, upgradeRow, historyRow, stakeRow, platformRow, evmRow, chainMetricsRow],
};
