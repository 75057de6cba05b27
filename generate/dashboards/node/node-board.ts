import type { Board } from "../parts/board.ts";
import { EXPORTER_STARTS, NODES_DOWN, off, UPGRADES, VERSIONS } from "../parts/annotations.ts";
import { chainsRow } from "./chains-row.ts";
import { evmRow } from "./evm-row.ts";
import { exporterRow } from "./exporter-row.ts";
import { diskRow } from "./disk-row.ts";
import { nativeRow } from "./native-row.ts";
import { peersRow } from "./peers-row.ts";
import { stateRow } from "./state-row.ts";
import { validatorRow } from "./validator-row.ts";

export const nodeBoard: Board = {
  uid: "avax-node",
  title: "Node",
  about:
    "One Avalanche node, or several side by side: its own reports, what other nodes observe, and the exporter's polls.",
  variables: ["network", { one: "node" }, "chain"],
  annotations: [NODES_DOWN, VERSIONS, off(UPGRADES), off(EXPORTER_STARTS)],
  rows: [stateRow, validatorRow, chainsRow, evmRow, peersRow, diskRow, exporterRow, nativeRow],
};
