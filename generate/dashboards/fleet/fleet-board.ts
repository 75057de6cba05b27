import { EXPORTER_STARTS, NODES_DOWN, off, UPGRADES, VERSIONS } from "../parts/annotations.ts";
import type { Board } from "../parts/board.ts";
import { comparisonRow } from "./comparison-row.ts";
import { overTimeRow } from "./over-time-row.ts";
import { wallRow } from "./wall-row.ts";

export const fleetBoard: Board = {
  uid: "avax-fleet",
  title: "Fleet",
  about: "All Avalanche nodes on one page: which one has a problem, which problem, and since when.",
  variables: ["network", "node"],
  annotations: [UPGRADES, NODES_DOWN, EXPORTER_STARTS, off(VERSIONS)],
  rows: [wallRow, overTimeRow, comparisonRow],
};
