import { counted } from "../define/counted.ts";
import type { Alerts, Cause, Runbook } from "../define/alert.ts";
import { atNode, CUT_OFF, LEFT_BEHIND, NETWORK_HALTED, NODE_OUT, REPLACED } from "../define/causes.ts";
import { percentOf } from "../../config/base/alert-limit.ts";
import type { QueryWriter, Recording } from "../define/recording.ts";
import { threshold } from "../define/threshold.ts";
import { NATIVE_FAMILIES as own } from "../node/native-families.ts";

/**
 * Alerts on what the nodes export themselves at `/ext/metrics`, which Prometheus scrapes through `/sd`. Without that scrape job
 * they are silent. The series have the `node` of the configuration, and the job of another scrape.
 */

/** Fewer queries a second than these, a hundred in ten minutes, prove nothing: a quiet chain makes none for hours. */
const LEAST_QUERIES_A_SECOND = 0.167;
/** Bad blocks that a wrong proposer can explain. Source: AvalancheGo's guide to alerts, as the next two. */
const BAD_BLOCKS = 10;

const BEYOND_ONE = "of a node's consensus queries fails, beyond that of one validator of the chain";

const failing = threshold("queries-failing", "share", `when more than this share ${BEYOND_ONE}`, {
  standard: 0.05,
  least: 0.001,
  most: 1,
});

const lost = threshold("queries-lost", "share", `when more than this share ${BEYOND_ONE}`, {
  standard: 0.1,
  least: 0.001,
  most: 1,
});

const throttled = threshold(
  "messages-throttled",
  "share",
  "when more than this share of the messages of peers waits for CPU or disk",
  { standard: 0.1, least: 0.001, most: 1 },
);

const stalls = threshold(
  "database-stalls",
  "share",
  "when the database delays writes for more than this share of the time",
  { standard: 0.05, least: 0.001, most: 1 },
);

type Family = (typeof own)[keyof typeof own];

/** The scrape jobs of `/sd`, as the documents name them: other jobs have series with a label `node` too. */
const NATIVE_JOBS = "=~avalanchego.*";
/** Whether Prometheus could scrape a target. */
const SCRAPE = { name: "up", labels: ["job", "node"] } as const;

/** `/sd` gives the series of a polled node its name; those of another scrape job have none. */
export const OF_NODE = { node: "!=" } as const;
/** A rate of a family; the series of the first one in an expression decide which nodes are meant. */
const rate = ({ series }: QueryWriter, family: Family, time: string, matchers?: typeof OF_NODE): string =>
  `rate(${series(family, matchers)}[${time}])`;
const rates = (query: QueryWriter, one: Family, other: Family, time: string): string =>
  `${rate(query, one, time, OF_NODE)} + ${rate(query, other, time)}`;
const byNode = (expr: string): string => `sum by (node, network)(${expr})`;
export const byChain = (expr: string): string => `sum by (node, network, chain)(${expr})`;

const PER_CHAIN = ["node", "network", "chain"] as const;

const queries: Recording = {
  name: "node:avax_queries:rate10m",
  about: "Consensus queries of a node a second, by chain, over ten minutes.",
  promql: (query) => rates(query, own.pollsFailed, own.pollsSuccessful, "10m"),
  labels: PER_CHAIN,
};

const queriesFailed: Recording = {
  name: "node:avax_queries_failed:ratio",
  about: "Share of a node's consensus queries that failed over ten minutes, by chain, where there were a hundred.",
  promql: (query) =>
    `${rate(query, own.pollsFailed, "10m")} / (${query.recorded(queries)} >= ${LEAST_QUERIES_A_SECOND})`,
  labels: PER_CHAIN,
};

/**
 * What one validator that does not answer explains is taken off: on a network of seven 4 to 6 % fail with all nodes up, and 16 to
 * 18 % on every node while one is stalled, which is that one's fault.
 */
const queriesLost: Recording = {
  name: "node:avax_queries_lost:percent",
  about:
    "Consensus queries of a node that failed over ten minutes, by chain, beyond the share of one validator: percent.",
  promql: ({ recorded, series }) =>
    `100 * max by (node, network, chain)(${recorded(queriesFailed)} - 1 / ${series(own.validators)})`,
  labels: PER_CHAIN,
};

const waited: Recording = {
  name: "node:avax_throttled:rate15m",
  about: "Messages of peers a second that waited for CPU or disk of a node, over 15 minutes.",
  promql: (query) => rates(query, own.cpuWaits, own.diskWaits, "15m"),
  labels: ["node", "network"],
};

const passed: Recording = {
  name: "node:avax_unthrottled:rate15m",
  about: "Messages of peers a second that did not wait for CPU or disk of a node, over 15 minutes.",
  promql: (query) => rates(query, own.cpuPasses, own.diskPasses, "15m"),
  labels: ["node", "network"],
};

/** Bad blocks of the C-Chain, and those of plugins: no chain has both. */
const BAD = '{__name__=~"avalanche_.+_eth_chain_block_bad_count",node!=""}';

/**
 * The alert's labels have no job, as the node's series are of another one than the exporter's, and the network only where it is
 * configured: the name is what both have.
 */
export const byName = (...causes: readonly Cause[]): readonly Cause[] =>
  causes.map((cause) => ({ ...cause, equal: ["node"] }));
const OUT = [...byName(...NODE_OUT), NETWORK_HALTED];

const QUERIES_RUNBOOK: Runbook = {
  meaning:
    "The node asks a sample of validators which block they prefer. A query fails when too few of them answer in time: validators are offline, this node's network path loses messages, or the node is overloaded. The share of one validator is taken off: on a small network one that does not answer is its own problem.",
  confirm:
    "`avax_chain_connected_stake_ratio` of the chain: about as much stake is missing as queries fail. If it is high, compare the panel Failed consensus polls of other nodes, and this node's throttled messages and CPU.",
  commands: {
    "call <node> /ext/health":
      "The check of the chain shows the share of connected stake, and the check `network` the share of messages that could not be sent.",
    "call <node> info.peers": "Peers that are `benched`, or whose `lastReceived` is minutes old.",
  },
  action:
    "Bring missing validators back. Only this node: check its network, CPU, disk and clock. Network: packet loss, TCP port 9651.",
  falsePositives: "Validators that hold more stake than the limit are being upgraded.",
};

const LOST = '{{ $labels.node }} loses {{ $value | printf "%.1f" }} % of queries on {{ $labels.chain }}';

const ANSWERED = "gets answers to its queries on {{ $labels.chain }}";

/** Alerts about consensus queries, blocks, messages and the database of a node, by its own figures. */
export const NATIVE_ALERTS: Alerts = {
  AvaxNodeQueriesLost: {
    severity: "critical",
    ofPrometheus: true,
    when: { promql: ({ recorded, limit }) => `${recorded(queriesLost)} > ${percentOf(limit(lost))}` },
    labels: PER_CHAIN,
    for: "10m",
    impact: "Blocks are accepted late; with a quarter of the stake unreachable the node accepts none.",
    explainedBy: [...byName(REPLACED, CUT_OFF, LEFT_BEHIND), NETWORK_HALTED],
    summary: `${LOST}: late blocks`,
    over: ANSWERED,
    ...QUERIES_RUNBOOK,
  },
  AvaxNodeQueriesFailing: {
    severity: "warning",
    ofPrometheus: true,
    when: { promql: ({ recorded, limit }) => `${recorded(queriesLost)} > ${percentOf(limit(failing))}` },
    labels: PER_CHAIN,
    // Longer than the page: where the share grows from one limit to the other, the page comes first.
    for: "15m",
    explainedBy: [
      { alert: "AvaxNodeQueriesLost", equal: ["node", "chain"], why: "So many fail that it pages." },
      {
        alert: "AvaxSubnetQuorumAtRisk",
        sourceMatchers: { subnet: "primary" },
        equal: ["network"],
        why: "Validators of the Primary Network are offline: their share of the queries fails on every node.",
      },
      ...OUT,
    ],
    summary: LOST,
    over: ANSWERED,
    ...QUERIES_RUNBOOK,
  },
  AvaxNodeMetricsDown: {
    severity: "warning",
    ofPrometheus: true,
    when: { promql: ({ series }) => `${byNode(series(SCRAPE, { job: NATIVE_JOBS, ...OF_NODE }))} == 0` },
    for: "15m",
    explainedBy: [
      ...OUT,
      ...byName(
        atNode("AvaxSubnetCheckFailing", "A chain that does not answer blocks the metrics of the whole node."),
        atNode("AvaxHealthFrozen", "A chain hangs, and the metrics of the whole node with it."),
      ),
    ],
    summary: "{{ $labels.node }} does not serve its own metrics",
    over: "serves its own metrics again",
    description: "Alerts that read `/ext/metrics` are silent.",
    meaning:
      "The node asks each VM plugin for its metrics. One that hangs makes the whole answer hang; one that has died makes it HTTP 500 until the node restarts. Meanwhile nothing is known of the node's queries, bad blocks, messages and database.",
    confirm: "The page Targets of Prometheus shows the error of the job `avalanchego`.",
    commands: {
      "call <node> /ext/health": "The check of a chain that hangs or has died fails, or its `timestamp` is old.",
    },
    action:
      "HTTP 500, timeout: restart the node. HTTP 401, 404: mend the scrape job or the proxy. The node's log names the chain that fails.",
    falsePositives: "The scrape job lists a node whose metrics API is off: leave it out by a relabelling rule.",
  },
  AvaxNodeBadBlocks: {
    severity: "warning",
    ofPrometheus: true,
    when: { promql: () => `${byChain(`increase(${BAD}[15m])`)} > ${BAD_BLOCKS}` },
    labels: PER_CHAIN,
    for: "5m",
    explainedBy: OUT,
    summary: `{{ $labels.node }} rejected ${counted("block")} of {{ $labels.chain }} as invalid`,
    over: "rejects no blocks of {{ $labels.chain }}",
    description: "Within 15 minutes.",
    meaning:
      "The node executes blocks with another result than their proposers: its state or its rules differ from theirs, or a proposer is wrong. Since Helicon the C-Chain has no such counter: the alert is about L1s there.",
    confirm: "The log of the chain names the block and the reason. Compare the counter on other nodes.",
    commands: {
      "call <node> info.getNodeVersion":
        "The release, and that of the chain's VM. Compare with a node that has no bad blocks.",
    },
    action: "Only this node: install the release of others, or resync. All: find the proposing validator.",
    falsePositives: "A validator with a wrong release proposes invalid blocks, and this node is right.",
  },
  AvaxNodeMessagesThrottled: {
    severity: "warning",
    ofPrometheus: true,
    when: {
      promql({ recorded, limit }) {
        const waits = recorded(waited);
        const share = `${waits} / (${waits} + ${recorded(passed)})`;
        return `100 * max by (node, network)(${share}) > ${percentOf(limit(throttled))}`;
      },
    },
    for: "30m",
    explainedBy: OUT,
    summary: '{{ $labels.node }} throttles {{ $value | printf "%.1f" }} % of the messages of its peers',
    over: "handles the messages of its peers at once",
    meaning:
      "The node has more messages than it can handle. It answers late: peers bench it, and its own queries fail.",
    confirm: "The panels of the node's own metrics show which throttler holds messages back.",
    commands: { "call <node> info.peers": "`benched` of the peers, and how many there are." },
    action: "Check the machine's CPU, disk and bandwidth, and other processes. Then use a larger machine.",
    falsePositives: "The node is bootstrapping, or serves many API requests on purpose.",
  },
  AvaxNodeDatabaseStalls: {
    severity: "warning",
    ofPrometheus: true,
    // Nanoseconds in a second, in percent.
    when: {
      promql: ({ series, limit }) =>
        `${byNode(`rate(${series(own.delayedTime, OF_NODE)}[15m])`)} / 1e7 > ${percentOf(limit(stalls))}`,
    },
    for: "15m",
    explainedBy: OUT,
    summary: '{{ $labels.node }} delays database writes {{ $value | printf "%.1f" }} % of the time',
    over: "writes to its database without delay",
    meaning:
      "The disk is too slow for the writes of the node: blocks are accepted late. Only LevelDB reports it; with PebbleDB the alert is silent.",
    confirm: "The panels Compaction stalls and Compaction traffic; the latency and throughput of the disk.",
    commands: { "call <node> /ext/health": "`longestProcessingBlock` of the chains grows while writes are delayed." },
    action: "Move the database to a local NVMe disk, or stop what else uses the disk.",
    falsePositives: "The node is bootstrapping or has just been synced.",
  },
};
