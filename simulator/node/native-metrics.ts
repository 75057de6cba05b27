import { runChecks } from "./checks.ts";
import { behaviourAt, heldSince, runsSince, segmentsUntil, upgradeTimeAt } from "../world/network.ts";
import { CHAINS, executedHeight, heightOf, SLOW_BLOCK_MS } from "../world/heights.ts";
import { chainState } from "../world/chains.ts";
import { seatsOf } from "../world/quorum.ts";
import { peersOf } from "../world/peers.ts";
import type { Behaviour } from "../world/scenarios.ts";
import { isNewEngine, UNSETTLED } from "../evm/evm-chain.ts";
import { HANGS, plain, type Interface, type View } from "../world/wire.ts";

/** Native metrics of a real node, not in the specification: a few families in the Prometheus text format. */

const PATH = "/ext/metrics";
const TYPE = "text/plain; version=0.0.4; charset=utf-8";

export const nativeMetrics: Interface = (request, view) => {
  if (request.path !== PATH || view.dialect === "spec") return undefined;
  if (request.method !== "GET") return plain(405, "Method Not Allowed\n");
  const { pluginHung } = behaviourAt(view.network, view.index, view.at);
  // One VM that does not answer is enough.
  if (pluginHung && view.at - heldSince(view.network, view.index, view.at, "pluginHung") < HANGS_MS) return HANGS;
  if (pluginHung) return plain(500, "An error has occurred while serving metrics:\n\ncontext deadline exceeded\n");
  return { status: 200, type: TYPE, body: families(view).join("") };
};

/** For so long the metrics of a node with a hung VM hang; then they are an error. */
const HANGS_MS = 60_000;

function families(view: View): readonly string[] {
  const failing = runChecks(view).filter(({ error }) => error !== undefined).length;
  const running = CHAINS.filter((chain) => chainState(view, chain) === "running");
  const heights = running.map(
    (chain) => [`{chain="${chain}"}`, Math.floor(heightOf(view.network, view.index, chain, view.at))] as const,
  );
  const { answered, lost } = queriesOf(view);
  const { unread, unverified } = refusedBlocks(view);
  const { nextRelease } = behaviourAt(view.network, view.index, view.at);
  const chains = heights.map(([labels]) => labels);
  const seats = running.map((chain) => [`{chain="${chain}"}`, seatsOf(view.network, chain, view.at).length] as const);
  return [
    ...["cpu", "disk"].flatMap((what) => [
      counter(`avalanche_network_${what}_throttler_total_waits`, [["", 0]]),
      counter(`avalanche_network_${what}_throttler_total_no_waits`, [["", answered + lost]]),
    ]),
    counter("avalanche_network_throttler_outbound_acquire_failures", [["", 0]]),
    counter("avalanche_network_throttler_outbound_acquire_successes", [["", answered + lost]]),
    counter(
      "avalanche_snowman_polls_failed",
      chains.map((labels) => [labels, labels === ON_C ? lost : 0]),
    ),
    counter(
      "avalanche_snowman_polls_successful",
      chains.map((labels) => [labels, labels === ON_C ? answered : 0]),
    ),
    counter(
      "avalanche_meterchainvm_parse_block_err_count",
      chains.map((labels) => [labels, labels === ON_C ? unread : 0]),
    ),
    counter(
      "avalanche_meterchainvm_verify_err_count",
      chains.map((labels) => [labels, labels === ON_C ? unverified : 0]),
    ),
    ...(isNewEngine(view, "C") ? executionOf(view) : [counter("avalanche_evm_eth_chain_block_bad_count", [[ON_C, 0]])]),
    counter("avalanche_subnetevm_vm_eth_chain_block_bad_count", [
      [`{chain="${view.network.world.subnets[1]?.chainId ?? ""}"}`, 0],
    ]),
    gauge(
      "avalanche_db_writes_delayed_duration",
      "amount of time (in ns) that writes have been delayed due to compaction",
      [["", 0]],
    ),
    gauge("avalanche_health_checks_failing", "number of currently failing health checks", [
      ['{check="health",tag="all"}', failing],
    ]),
    ...(nextRelease ? [counter("avalanche_gossip_messages_total", [["", 0]])] : []),
    gauge("avalanche_network_peers", "Number of network peers", [["", peersOf(view).length]]),
    gauge("avalanche_stake_num_validators", "Total number of validators", seats),
    gauge("avalanche_snowman_last_accepted_height", "height of the last accepted block", heights),
  ];
}

const ON_C = '{chain="C"}';

/** Milliseconds since the process started, and since `from`, for which the behaviour of the node was such. */
function spentMs({ network, index, at }: View, was: (behaviour: Behaviour) => boolean, from = 0): number {
  const start = Math.max(from, runsSince(network, index, at));
  const segments = segmentsUntil(network, index, at);
  return segments.reduce((sum, { from: begun, behaviour }, position) => {
    const to = segments[position + 1]?.from ?? at;
    return was(behaviour) ? sum + Math.max(0, to - Math.max(begun, start)) : sum;
  }, 0);
}

/** Consensus queries on C since the process started: one a second. */
function queriesOf(view: View): { readonly answered: number; readonly lost: number } {
  const lost = Math.floor(spentMs(view, ({ queriesLost }) => queriesLost) / 2000);
  return { answered: Math.floor((view.at - runsSince(view.network, view.index, view.at)) / 1000) - lost, lost };
}

/** Milliseconds between two blocks that a node cannot read or verify: its peers send the same ones again and again. */
const REFUSAL_MS = 33;

/** Blocks of C that a node could not read, by the rules of an upgrade that it lacks, and that it could not verify. */
function refusedBlocks(view: View): { readonly unread: number; readonly unverified: number } {
  const activation = upgradeTimeAt(view.network, view.at) * 1000;
  const unreadMs = spentMs(view, ({ upgrade }) => upgrade === "missed", activation);
  const unverifiedMs = spentMs(view, ({ executor }) => executor === "stalled");
  return { unread: Math.floor(unreadMs / REFUSAL_MS), unverified: Math.floor(unverifiedMs / REFUSAL_MS) };
}

/** Seconds that a prompt executor takes for a block. */
const PROMPT_SECONDS = 0.005;
const SAE = "avalanche_evm_transition_sae";

/** Families of the engine of Helicon. */
function executionOf(view: View): readonly string[] {
  const { network, index, at } = view;
  const start = runsSince(network, index, at);
  const accepted = heightOf(network, index, "C", at);
  const executed = executedHeight(network, index, at);
  const queue = accepted - executed;
  const blocks = executed - executedHeight(network, index, start);
  const slowMs = spentMs(view, ({ executor }) => executor === "slow");
  const seconds = slowMs / 1000 + (blocks - slowMs / SLOW_BLOCK_MS) * PROMPT_SECONDS;
  return [
    gauge(`${SAE}_last_executed_height`, "Height of the latest block that completed async execution.", [
      [ON_C, executed],
    ]),
    gauge(`${SAE}_last_settled_height`, "Height of the latest block that has settled.", [
      [ON_C, Math.max(0, executed - UNSETTLED)],
    ]),
    gauge(`${SAE}_execution_queue_blocks`, "Number of accepted blocks that have not yet completed execution.", [
      [ON_C, queue],
    ]),
    gauge(
      `${SAE}_gas_time_wall_time_gap_seconds`,
      "Gas time minus wall time, observed when the latest block finished executing; negative when gas time lags the wall clock.",
      [[ON_C, queue === 0 ? -0.15 : -queue * (SLOW_BLOCK_MS / 1000)]],
    ),
    histogram(`${SAE}_execute_block_duration_seconds`, blocks, seconds),
    histogram(`${SAE}_execution_queue_duration_seconds`, blocks, seconds + (2 * slowMs) / 1000),
  ];
}

type Samples = ReadonlyArray<readonly [labels: string, value: number]>;

function counter(name: string, samples: Samples): string {
  return `# TYPE ${name} counter\n${linesOf(name, samples)}`;
}

/** A histogram of C without finite buckets. */
function histogram(name: string, count: number, sum: number): string {
  const bucket = `${name}_bucket{chain="C",le="+Inf"} ${count}\n`;
  return `# TYPE ${name} histogram\n${bucket}${name}_sum${ON_C} ${sum}\n${name}_count${ON_C} ${count}\n`;
}

function linesOf(name: string, samples: Samples): string {
  return samples.map(([labels, value]) => `${name}${labels} ${value}\n`).join("");
}

function gauge(name: string, help: string, samples: Samples): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${linesOf(name, samples)}`;
}
