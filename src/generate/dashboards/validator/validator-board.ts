import type { Board } from "../parts/board.ts";
import { networkViewRow } from "./network-view-row.ts";
import { rewardsRow } from "./rewards-row.ts";
import { stakeRow } from "./stake-row.ts";
import { verdictRow } from "./verdict-row.ts";

export const validatorBoard: Board = {
  uid: "avax-validator",
  title: "Validator",
  about: "Reward of each watched validator: its downtime budget, its uptime as the network observes it, and its stake.",
  variables: ["network", "validator", "node"],
  rows: [verdictRow, networkViewRow, stakeRow, rewardsRow],
};
