import type { AlertCases } from "./case.ts";

const series = (what: string) =>
  `avalanche_meterchainvm_${what}_err_count{job="avalanchego",instance="a:9650",node="a",network="n",chain="C"}`;
const labels = { node: "a", network: "n", chain: "C" };

export const REFUSED_BLOCKS_CASES: AlertCases = {
  AvaxNodeBlocksUnreadable: {
    at: "6m",
    // Helicon activates in minute 2.
    fires: { [series("parse_block")]: "0 0 0+1800x10" },
    labels,
    silent: { [series("parse_block")]: "7x20", [series("verify")]: "0+1800x20" },
    why: "it reads every block, and verification is another thing",
  },
  AvaxNodeBlocksUnverified: {
    at: "14m",
    fires: { [series("verify")]: "0 0 0+1800x20" },
    labels,
    silent: { [series("verify")]: "0 0 0 500x30" },
    why: "one burst, while validators restarted",
  },
};
