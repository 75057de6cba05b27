import type { Alerts, Cause, Runbook } from "../define/alert.ts";
import { atValidator, CUT_OFF, LEFT_BEHIND, NETWORK_HALTED, NODE_OUT, REPLACED } from "../define/causes.ts";
import { recording } from "../define/recording.ts";
import { threshold } from "../define/threshold.ts";
import { polling } from "../exporter/polling.ts";
import { NATIVE_FAMILIES as own } from "../node/native-families.ts";

/**
 * Alerts on what the nodes export themselves at `/ext/metrics`, which Prometheus scrapes through `/sd`. Without that scrape job
 * they are silent. The series have the `node` of the configuration, and the job of another scrape.
 */

/** Fewer queries than these prove nothing: a quiet chain makes none for hours. */
const LEAST_QUERIES = 20;
/** Bad blocks that a wrong proposer can explain. Source: AvalancheGo's guide to alerts, as the next two. */
const BAD_BLOCKS = 10;

const failing = threshold("queries-failing", "share", "when more than this share of a node's consensus queries fails", {
  standard: 0.05,
  least: 0.001,
  most: 1,
});

const lost = threshold("queries-lost", "share", "when more than this share of a node's consensus queries fails", {
  standard: 0.1,
  least: 0.001,
  most: 1,
});

const throttled = threshold(
  "messages-throttled",
  "share",
  "when more than this share of the messages to and from peers waits or is dropped",
  { standard: 0.1, least: 0.001, most: 1 },
);

const stalls = threshold(
  "database-stalls",
  "share",
  "when the database delays writes for more than this share of the time",
  { standard: 0.05, least: 0.001, most: 1 },
);

const within = (family: (typeof own)[keyof typeof own], time: string) => `increase(${family.name}[${time}])`;
/** With the network of the polled node; a node that is not polled is left out. */
const ofPolled = (expr: string) =>
  `${expr} * on (node) group_left (network) topk by (node) (1, group by (node, network) (${polling.metrics.up}))`;

const queries = `(${within(own.pollsFailed, "10m")} + ${within(own.pollsSuccessful, "10m")})`;
const failedQueries = recording({
  name: "node:avax_native_failed_queries:ratio_increase10m",
  about: "Share of a node's consensus queries that failed within ten minutes, by chain, from the node's own metrics.",
  expr: ofPolled(
    `sum by (node, chain) (${within(own.pollsFailed, "10m")}) / (sum by (node, chain) ${queries} >= ${LEAST_QUERIES})`,
  ),
  labels: ["node", "network", "chain"],
});

const messages = (...families: ReadonlyArray<(typeof own)[keyof typeof own]>) =>
  `sum by (node) (${families.map((each) => within(each, "15m")).join(" + ")})`;
const waited = recording({
  name: "node:avax_native_messages_throttled:increase15m",
  about:
    "Messages to and from peers that waited for CPU or disk or were dropped within 15 minutes, from the node's own metrics.",
  expr: messages(own.cpuWaits, own.diskWaits, own.outboundDropped),
  labels: ["node"],
});
const passed = messages(own.cpuPasses, own.diskPasses, own.outboundSent);

/** The alert's labels have no job: the node's series are of another one than the exporter's. */
const byName = (...causes: readonly Cause[]): readonly Cause[] => [...atValidator(...causes), NETWORK_HALTED];
const OUT = byName(...NODE_OUT);

const QUERIES_RUNBOOK: Runbook = {
  meaning:
    "The node asks a sample of validators which block they prefer. A query fails when too few of them answer in time: validators are offline, this node's network path loses messages, or the node is overloaded.",
  confirm:
    "`avax_chain_connected_stake_ratio` of the chain: about as much stake is missing as queries fail. If it is high, compare the panel Failed consensus polls of other nodes, and this node's throttled messages and CPU.",
  commands: {
    "call <node> /ext/health":
      "The check of the chain shows the share of connected stake, and the check `network` the share of messages that could not be sent.",
    "call <node> info.peers": "Peers that are `benched`, or whose `lastReceived` is minutes old.",
  },
  action:
    "Stake is missing: bring its validators back. Only this node: check its network path (packet loss, TCP port 9651), CPU, disk and clock.",
  falseWhen: "Validators that hold more stake than the limit are being upgraded.",
};

const LOST = '{{ $labels.node }} loses {{ $value | printf "%.1f" }} % of queries on {{ $labels.chain }}';

/** Alerts about consensus queries, blocks, messages and the database of a node, by its own figures. */
export const NATIVE_ALERTS: Alerts = {
  AvaxNodeQueriesLost: {
    severity: "critical",
    ofPrometheus: true,
    expr: `100 * ${failedQueries} > 100 * ${lost}`,
    labels: ["node", "network", "chain"],
    for: "10m",
    loses: "Blocks are accepted late; with a quarter of the stake unreachable the node accepts none.",
    explainedBy: byName(REPLACED, CUT_OFF, LEFT_BEHIND),
    summary: `${LOST}: late blocks`,
    description: "Too few validators answer its consensus queries in time.",
    ...QUERIES_RUNBOOK,
  },
  AvaxNodeQueriesFailing: {
    severity: "warning",
    ofPrometheus: true,
    expr: `100 * ${failedQueries} > 100 * ${failing}`,
    labels: ["node", "network", "chain"],
    for: "10m",
    explainedBy: [
      { alert: "AvaxNodeQueriesLost", equal: ["network", "node", "chain"], why: "So many fail that it pages." },
      ...OUT,
    ],
    summary: LOST,
    description: "Too few validators answer its consensus queries in time.",
    ...QUERIES_RUNBOOK,
  },
  AvaxNodeBadBlocks: {
    severity: "warning",
    ofPrometheus: true,
    expr: `${ofPolled(`sum by (node, chain) (${within(own.badBlocks, "15m")} or ${within(own.badBlocksOfPlugins, "15m")})`)} > ${BAD_BLOCKS}`,
    labels: ["node", "network", "chain"],
    for: "5m",
    explainedBy: OUT,
    summary: '{{ $labels.node }} rejected {{ $value | printf "%.0f" }} blocks of {{ $labels.chain }} as invalid',
    description: "That was within 15 minutes. The node can go on to answer queries meanwhile.",
    meaning:
      "The node executes blocks with another result than their proposers: its state or its rules differ from theirs, or a proposer is wrong.",
    confirm: "The log of the chain names the block and the reason. Compare the counter on other nodes.",
    commands: {
      "call <node> info.getNodeVersion":
        "The release, and that of the chain's VM. Compare with a node that has no bad blocks.",
    },
    action:
      "Only this node: install the release of the others, else resync. All nodes: find the validator that proposes the blocks.",
    falseWhen: "A validator with a wrong release proposes invalid blocks, and this node is right.",
  },
  AvaxNodeMessagesThrottled: {
    severity: "warning",
    ofPrometheus: true,
    expr: `100 * ${ofPolled(`${waited} / on (node) (${waited} + on (node) ${passed} > 0)`)} > 100 * ${throttled}`,
    for: "30m",
    explainedBy: OUT,
    summary: '{{ $labels.node }} throttles {{ $value | printf "%.1f" }} % of the messages of its peers',
    description: "They wait for CPU or disk, or are dropped.",
    meaning:
      "The node has more messages than it can handle. It answers late: peers bench it, and its own queries fail.",
    confirm: "The panels of the node's own metrics show which throttler holds messages back.",
    commands: { "call <node> info.peers": "`benched` of the peers, and how many there are." },
    action: "Check the machine's CPU, disk and bandwidth, and other processes. Then use a larger machine.",
    falseWhen: "The node is bootstrapping, or serves many API requests on purpose.",
  },
  AvaxNodeDatabaseStalls: {
    severity: "warning",
    ofPrometheus: true,
    expr: `100 * ${ofPolled(`sum by (node) (rate(${own.delayedTime.name}[15m])) / 1e9`)} > 100 * ${stalls}`,
    for: "15m",
    explainedBy: OUT,
    summary: '{{ $labels.node }} delays database writes {{ $value | printf "%.1f" }} % of the time',
    description: "Compaction does not keep up with the writes.",
    meaning:
      "The disk is too slow for the writes of the node: blocks are accepted late. Only LevelDB reports it; with PebbleDB the alert is silent.",
    confirm: "The panels Compaction stalls and Compaction traffic; the latency and throughput of the disk.",
    commands: { "call <node> /ext/health": "`longestProcessingBlock` of the chains grows while writes are delayed." },
    action: "Move the database to a local NVMe disk, or stop what else uses the disk.",
    falseWhen: "The node is bootstrapping or has just been synced.",
  },
};
