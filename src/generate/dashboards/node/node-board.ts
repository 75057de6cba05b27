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
  about: "One Avalanche node, or some side by side: what it says, what others see of it, and what the exporter knows.",
  variables: ["network", "node", "chain"],
  rows: [stateRow, validatorRow, chainsRow, evmRow, peersRow, diskRow, exporterRow],
};
