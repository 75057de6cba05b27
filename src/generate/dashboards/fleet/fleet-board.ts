import type { Board } from "../parts/board.ts";
import { overTimeRow } from "./over-time-row.ts";
import { wallRow } from "./wall-row.ts";

export const fleetBoard: Board = {
  uid: "avax-fleet",
  title: "Fleet",
  about: "All Avalanche nodes on one page: which one is wrong, since when, and in what way.",
  variables: ["network", "node"],
  rows: [wallRow, overTimeRow],
};
