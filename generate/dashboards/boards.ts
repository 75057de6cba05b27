import { dashboardFile, type Board } from "./parts/board.ts";
import { exporterBoard } from "./exporter/exporter-board.ts";
import { fleetBoard } from "./fleet/fleet-board.ts";
import { l1Board } from "./l1/l1-board.ts";
import { networkBoard } from "./network/network-board.ts";
import { nodeBoard } from "./node/node-board.ts";
import { treasuryBoard } from "./treasury/treasury-board.ts";
import { validatorBoard } from "./validator/validator-board.ts";

/** Every dashboard: the fleet first, the exporter last. */
export const BOARDS: readonly Board[] = [
  fleetBoard,
  nodeBoard,
  validatorBoard,
  l1Board,
  networkBoard,
  treasuryBoard,
  exporterBoard,
];

/** The file of each dashboard; `path` is relative to the root of the project. */
export const DASHBOARD_FILES = BOARDS.map((board) => ({
  path: `grafana/dashboards/${board.uid.replace("avax-", "")}.json`,
  text: () => dashboardFile(board),
}));
