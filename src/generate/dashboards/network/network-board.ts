import type { Board } from "../parts/board.ts";
import { addressesRow } from "./addresses-row.ts";
import { chainMetricsRow } from "./chain-metrics-row.ts";
import { evmRow } from "./evm-row.ts";
import { platformRow } from "./platform-row.ts";
import { setRow } from "./set-row.ts";
import { upgradeRow } from "./upgrade-row.ts";
import { walletsRow } from "./wallets-row.ts";

export const networkBoard: Board = {
  uid: "avax-network",
  title: "Network and upgrades",
  about: "Each network as a whole: its stake, its readiness for the next upgrade, and the activity of its chains.",
  variables: ["network", "node", "chain"],
  rows: [setRow, upgradeRow, platformRow, evmRow, chainMetricsRow, walletsRow, addressesRow],
};
