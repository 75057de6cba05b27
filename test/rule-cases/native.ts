import type { AlertCases } from "./case.ts";

/** Series of a node itself, from the scrape job of `/sd`. */
const series = (name: string, labels = "") =>
  `avalanche_${name}{job="avalanchego",instance="a:9650",node="a",network="n"${labels}}`;
const L1 = ',chain="l1"';
const queries = (failed: string, ok: string) => ({
  [series("snowman_polls_failed", L1)]: failed,
  [series("snowman_polls_successful", L1)]: ok,
});
const messages = (waits: string) => ({
  ...Object.fromEntries(["cpu", "disk"].map((each) => [series(`network_${each}_throttler_total_waits`), waits])),
  ...Object.fromEntries(
    ["cpu", "disk"].map((each) => [series(`network_${each}_throttler_total_no_waits`), "0+600x60"]),
  ),
});

export const NATIVE_CASES: AlertCases = {
  AvaxNodeQueriesLost: {
    at: "14m",
    fires: queries("0+12x60", "0+88x60"),
    labels: { node: "a", network: "n", chain: "l1" },
    silent: queries("0+7x60", "0+93x60"),
    why: "only 7 % fail: that is a ticket",
  },
  AvaxNodeQueriesFailing: {
    at: "14m",
    fires: queries("0+7x60", "0+93x60"),
    labels: { node: "a", network: "n", chain: "l1" },
    silent: queries("0+1x60", "0+0.1x60"),
    why: "a quiet chain has made a dozen queries",
  },
  AvaxNodeBadBlocks: {
    at: "16m",
    fires: { [series("subnetevm_vm_eth_chain_block_bad_count", L1)]: "0+2x60" },
    labels: { node: "a", network: "n", chain: "l1" },
    silent: { [series("evm_eth_chain_block_bad_count", ',chain="C"')]: "0x5 3x40" },
    why: "three blocks of one proposer",
  },
  AvaxNodeMessagesThrottled: {
    at: "33m",
    fires: messages("0+200x60"),
    silent: messages("0+20x60"),
    why: "a few messages always wait",
  },
  AvaxNodeDatabaseStalls: {
    at: "25m",
    fires: { [series("db_writes_delayed_duration")]: "0+6000000000x60" },
    silent: { 'avalanche_db_writes_delayed_duration{job="other",instance="a:9650"}': "0+6000000000x60" },
    why: "it is of another scrape job than that of /sd, and nothing tells which node it is",
  },
};
