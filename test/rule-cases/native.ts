import type { AlertCases } from "./case.ts";

/** Series of a node itself, from the scrape job of `/sd`; and what shows that the exporter polls it. */
const series = (name: string, labels = "") =>
  `avalanche_${name}{job="avalanchego",instance="a:9650",node="a"${labels}}`;
const L1 = ',chain="l1"';
const POLLED = { 'avax_node_up{node="a",network="n"}': "1x60" };
const queries = (failed: string, ok: string) => ({
  ...POLLED,
  [series("snowman_polls_failed", L1)]: failed,
  [series("snowman_polls_successful", L1)]: ok,
});
const messages = (waits: string) => ({
  ...POLLED,
  ...Object.fromEntries(["cpu", "disk"].map((each) => [series(`network_${each}_throttler_total_waits`), waits])),
  ...Object.fromEntries(
    ["cpu", "disk"].map((each) => [series(`network_${each}_throttler_total_no_waits`), "0+600x60"]),
  ),
  [series("network_throttler_outbound_acquire_failures")]: "0x60",
  [series("network_throttler_outbound_acquire_successes")]: "0+600x60",
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
    fires: { ...POLLED, [series("subnetevm_vm_eth_chain_block_bad_count", L1)]: "0+2x60" },
    labels: { node: "a", network: "n", chain: "l1" },
    silent: { ...POLLED, [series("evm_eth_chain_block_bad_count", ',chain="C"')]: "0x5 3x40" },
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
    fires: { ...POLLED, [series("db_writes_delayed_duration")]: "0+6000000000x60" },
    silent: { [series("db_writes_delayed_duration")]: "0+6000000000x60" },
    why: "the exporter does not poll the node",
  },
};
