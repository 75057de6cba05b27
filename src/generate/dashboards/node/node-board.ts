import type { Board } from "../parts/board.ts";
import { chainsRow } from "./chains-row.ts";
import { evmRow } from "./evm-row.ts";
import { exporterRow } from "./exporter-row.ts";
import { diskRow, peersRow } from "./peers-row.ts";
import { stateRow } from "./state-row.ts";
import { validatorRow } from "./validator-row.ts";

export const nodeBoard: Board = {
  uid: "avax-node",
  title: "Node",
  about:
    "One Avalanche node, or several side by side: its own reports, what other nodes observe, and the exporter's polls.",
  variables: ["network", "node", "chain"],
  rows: [stateRow, validatorRow, chainsRow, evmRow, peersRow, diskRow, exporterRow],
};
