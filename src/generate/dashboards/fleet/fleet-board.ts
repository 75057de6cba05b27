import type { Board } from "../parts/board.ts";
import { overTimeRow } from "./over-time-row.ts";
import { wallRow } from "./wall-row.ts";

export const fleetBoard: Board = {
  uid: "avax-fleet",
  title: "Fleet",
  about: "All Avalanche nodes on one page: which one has a problem, which problem, and since when.",
  variables: ["network", "node"],
  rows: [wallRow, overTimeRow],
};
