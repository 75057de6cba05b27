import type { Board } from "../parts/board.ts";
import { networkViewRow } from "./network-view-row.ts";
import { rewardsRow } from "./rewards-row.ts";
import { stakeRow } from "./stake-row.ts";
import { verdictRow } from "./verdict-row.ts";

export const validatorBoard: Board = {
  uid: "avax-validator",
  title: "Validator",
  about:
    "Will each watched validator be paid at the end of its stake, how long may it still be offline, and what does the network see of it?",
  variables: ["network", "validator", "node"],
  rows: [verdictRow, networkViewRow, stakeRow, rewardsRow],
};
