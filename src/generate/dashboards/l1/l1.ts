import type { Board } from "../board.ts";
import { headsRow } from "./l1-heads-row.ts";
import { membersRow } from "./l1-members-row.ts";
import { quorumRow } from "./l1-quorum-row.ts";

/** Will my L1 keep making blocks? */
export const l1Board: Board = {
  uid: "avax-l1",
  title: "L1",
  about: "Will each configured subnet or L1 keep making blocks: its quorum, the balances of its validators, its heads.",
  variables: ["network", "subnet", "node", "chain"],
  rows: [quorumRow, membersRow, headsRow],
};
