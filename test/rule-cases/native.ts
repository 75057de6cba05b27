import type { AlertCases } from "./case.ts";

/** Series of a node itself, from the scrape job of `/sd`. */
const series = (name: string, labels = "") =>
  `avalanche_${name}{job="avalanchego",instance="a:9650",node="a",network="n"${labels}}`;
/** Queries of a chain with so many validators. */
const queries = (failed: string, ok: string, validators = 1000, chain = "l1") => ({
  [series("snowman_polls_failed", `,chain="${chain}"`)]: failed,
  [series("snowman_polls_successful", `,chain="${chain}"`)]: ok,
  [series("stake_num_validators", `,chain="${chain}"`)]: `${validators}x60`,
});
const UP = 'up{job="avalanchego-token",instance="a:9650",node="a",network="n"}';
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
    silent: queries("0+17x60", "0+83x60", 5),
    why: "17 % fail while one of five validators is stalled",
  },
  AvaxNodeQueriesFailing: {
    at: "19m",
    fires: queries("0+7x60", "0+93x60"),
    labels: { node: "a", network: "n", chain: "l1" },
    silent: { ...queries("0+6.4x60", "0+93.6x60", 7), ...queries("0+8x60", "0+1x60", 1000, "quiet") },
    why: "as many fail on a network of seven with all nodes up, and a quiet chain has made ninety queries",
  },
  AvaxNodeMetricsDown: {
    at: "18m",
    fires: { [UP]: "1 0x30" },
    labels: { node: "a", network: "n" },
    silent: { [UP]: "0x12 1x30", 'up{job="kubelet",instance="b:9",node="b"}': "0x30" },
    why: "the node has served them again, and another job's targets have the label of their machine",
  },
  AvaxNodeBadBlocks: {
    at: "16m",
    fires: { [series("subnetevm_vm_eth_chain_block_bad_count", ',chain="l1"')]: "0+2x60" },
    labels: { node: "a", network: "n", chain: "l1" },
    silent: { [series("evm_eth_chain_block_bad_count", ',chain="C"')]: "0x5 3x40" },
    why: "three blocks of one proposer",
  },
  AvaxNodeMessagesThrottled: {
    at: "33m",
    fires: messages("0+200x60"),
    // Of the second node one family is absent: its share is unknown.
    silent: {
      ...messages("0+20x60"),
      'avalanche_network_cpu_throttler_total_waits{job="avalanchego",instance="b:9650",node="b",network="n"}':
        "0+200x60",
      'avalanche_network_disk_throttler_total_waits{job="avalanchego",instance="b:9650",node="b",network="n"}':
        "0+200x60",
      'avalanche_network_cpu_throttler_total_no_waits{job="avalanchego",instance="b:9650",node="b",network="n"}':
        "0x60",
    },
    why: "a few messages always wait, and of another node a family is absent",
  },
  AvaxNodeDatabaseStalls: {
    at: "25m",
    fires: { [series("db_writes_delayed_duration")]: "0+6000000000x60" },
    silent: { 'avalanche_db_writes_delayed_duration{job="other",instance="a:9650"}': "0+6000000000x60" },
    why: "it is of another scrape job than that of /sd, and nothing tells which node it is",
  },
};
