import { runChecks } from "./checks.ts";
import { runsSince, segmentsUntil } from "../world/network.ts";
import { CHAINS, heightOf } from "../world/heights.ts";
import { chainState } from "../world/chains.ts";
import { seatsOf } from "../world/quorum.ts";
import { peersOf } from "../world/peers.ts";
import { plain, type Interface, type View } from "../world/wire.ts";

/** Native metrics of a real node, not in the specification: a few families in the Prometheus text format. */

const PATH = "/ext/metrics";
const TYPE = "text/plain; version=0.0.4; charset=utf-8";

export const nativeMetrics: Interface = (request, view) => {
  if (request.path !== PATH || view.dialect === "spec") return undefined;
  if (request.method !== "GET") return plain(405, "Method Not Allowed\n");
  return { status: 200, type: TYPE, body: families(view).join("") };
};

function families(view: View): readonly string[] {
  const failing = runChecks(view).filter(({ error }) => error !== undefined).length;
  const running = CHAINS.filter((chain) => chainState(view, chain) === "running");
  const heights = running.map(
    (chain) => [`{chain="${chain}"}`, Math.floor(heightOf(view.network, view.index, chain, view.at))] as const,
  );
  const { answered, lost } = queriesOf(view);
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
    counter("avalanche_evm_eth_chain_block_bad_count", [[ON_C, 0]]),
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
    gauge("avalanche_network_peers", "Number of network peers", [["", peersOf(view).length]]),
    gauge("avalanche_stake_num_validators", "Total number of validators", seats),
    gauge("avalanche_snowman_last_accepted_height", "height of the last accepted block", heights),
  ];
}

const ON_C = '{chain="C"}';

/** Consensus queries on C since the process started: one a second. */
function queriesOf({ network, index, at }: View): { readonly answered: number; readonly lost: number } {
  const start = runsSince(network, index, at);
  const segments = segmentsUntil(network, index, at);
  const lostMs = segments.reduce((sum, { from, behaviour }, position) => {
    const to = segments[position + 1]?.from ?? at;
    return behaviour.queriesLost ? sum + Math.max(0, to - Math.max(from, start)) : sum;
  }, 0);
  const lost = Math.floor(lostMs / 2000);
  return { answered: Math.floor((at - start) / 1000) - lost, lost };
}

type Samples = ReadonlyArray<readonly [labels: string, value: number]>;

function counter(name: string, samples: Samples): string {
  return `# TYPE ${name} counter\n${linesOf(name, samples)}`;
}

function linesOf(name: string, samples: Samples): string {
  return samples.map(([labels, value]) => `${name}${labels} ${value}\n`).join("");
}

function gauge(name: string, help: string, samples: Samples): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${linesOf(name, samples)}`;
}
