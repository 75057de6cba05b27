import type { Board } from "../parts/board.ts";
import { EXPORTER_STARTS, NODES_DOWN, off, STAKE_ENDS, UPGRADES } from "../parts/annotations.ts";
import { networkViewRow } from "./network-view-row.ts";
import { rewardsRow } from "./rewards-row.ts";
import { stakeRow } from "./stake-row.ts";
import { verdictRow } from "./verdict-row.ts";

export const validatorBoard: Board = {
  uid: "avax-validator",
  title: "Validator",
  about: "Reward of each watched validator: its downtime budget, its uptime as the network observes it, and its stake.",
  variables: ["network", "validator", "node"],
  annotations: [STAKE_ENDS, UPGRADES, NODES_DOWN, off(EXPORTER_STARTS)],
  rows: [verdictRow, networkViewRow, stakeRow, rewardsRow],
};
