import type { Board } from "../parts/board.ts";
import { EXPORTER_STARTS, NODES_DOWN, off, UPGRADES } from "../parts/annotations.ts";
import { headsRow } from "./heads-row.ts";
import { membersRow } from "./members-row.ts";
import { quorumRow } from "./quorum-row.ts";
import { subnetsRow } from "./subnets-row.ts";

export const l1Board: Board = {
  uid: "avax-l1",
  title: "L1",
  about: "Whether each configured subnet or L1 keeps making blocks: quorum, validator balances and chain heads.",
  variables: ["network", "subnet", "node", "chain"],
  annotations: [UPGRADES, NODES_DOWN, off(EXPORTER_STARTS)],
  rows: [quorumRow, membersRow, headsRow, subnetsRow],
};
