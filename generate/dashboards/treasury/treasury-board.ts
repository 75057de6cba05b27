import type { Board } from "../parts/board.ts";
import { UPGRADES } from "../parts/annotations.ts";
import { balancesRow } from "./balances-row.ts";
import { hostedRow } from "./hosted-row.ts";
import { l1Row } from "./l1-row.ts";
import { rewardsRow } from "./rewards-row.ts";
import { walletsRow } from "./wallets-row.ts";

export const treasuryBoard: Board = {
  uid: "avax-treasury",
  title: "Treasury",
  about:
    "The money of the watched addresses and validators: which wallet or L1 balance runs out, what waits for an import, and which rewards were and will be paid.",
  variables: ["network"],
  annotations: [UPGRADES],
  rows: [balancesRow, walletsRow, l1Row, rewardsRow, hostedRow],
};
