import { configOf, startDaemon, startNetwork } from "./processes.ts";
import type { Cost } from "./daemon.ts";
import { median, pause, rowOf, type Row } from "./measure.ts";

/**
 * How long a large validator set blocks the event loop: 2,000 validators, all on the watch list, and in another network one with
 * 5,000 delegators, all in its record. A block is the busy time of the event loop between two calls of a timer of 1 ms: with
 * garbage collection, without the time in which the core ran other processes and threads, such as the simulated network. Time
 * that the host of a virtual machine takes is not separable from work: its size on this machine is shown as well.
 */

const VALIDATORS = 2000;
const DELEGATORS = 5000;
const MOST_MS = 25;
/** Cadence in seconds, so that a short run has many answers; their content is that of the default cadence. */
const EVERY = 5;

async function nodeIds(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/ext/bc/P`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.getCurrentValidators", params: {} }),
  });
  const { result } = (await response.json()) as { result: { validators: ReadonlyArray<{ nodeID: string }> } };
  return result.validators.map(({ nodeID }) => nodeID);
}

function row(what: string, ms: number): Row {
  return rowOf(what, `${ms.toFixed(1)} ms`, `<= ${MOST_MS} ms`, ms <= MOST_MS);
}

/** Milliseconds for which the idle machine is measured. */
const STILL_MS = 10_000;

/** The longest gap between two readings of the clock while this process does nothing else. Milliseconds. */
function longestGap(): number {
  const end = performance.now() + STILL_MS;
  let longest = 0;
  for (let last = performance.now(), now = last; now < end; last = now) {
    now = performance.now();
    longest = Math.max(longest, now - last);
  }
  return longest;
}

/** The longest blocks at the first answers and at later ones. */
export async function benchSet(quick: boolean): Promise<readonly Row[]> {
  const still = longestGap();
  const network = await startNetwork({ nodes: 1, validators: VALIDATORS });
  // A node lists delegators only in an answer about one validator: here about itself.
  const other = await startNetwork({ nodes: 1, validators: 5, delegators: DELEGATORS });
  const validators = await nodeIds(network.nodes[0]?.url ?? "");
  const all = configOf([...network.nodes, ...other.nodes.map((node) => ({ ...node, name: "other" }))]);
  const config = {
    ...all,
    nodes: all.nodes.map((node) => ({ ...node, network: node.name === "other" ? "other" : "large" })),
  };
  const every = { every: EVERY };
  const daemon = await startDaemon({
    ...config,
    watch: { ...config.watch, validatorsByNetwork: { large: validators } },
    endpoints: {
      "platform.getCurrentValidators": every,
      "platform.getCurrentValidators.watched": every,
      "info.peers": every,
    },
  });
  await daemon.cost();
  const later: Cost[] = [];
  for (let round = 0; round < (quick ? 3 : 9); round++) {
    await pause(EVERY * 1000);
    later.push(await daemon.cost());
  }
  await daemon.close();
  await Promise.all([network.close(), other.close()]);
  const work = `${validators.length} validators watched, ${DELEGATORS} delegators on another (${daemon.firstRound.series} series)`;
  const most = (read: (cost: Cost) => number): number => Math.max(...later.map(read));
  const shown = (what: string, ms: number): Row => rowOf(`${work}: ${what}`, `${ms.toFixed(1)} ms`);
  return [
    row(`${work}: longest block, first answers after the start`, daemon.firstRound.heldMax),
    row(
      `${work}: longest block, ${later.length} later rounds of answers`,
      most(({ heldMax }) => heldMax),
    ),
    shown("longest delay of a timer, first answers, others on the core included", daemon.firstRound.max),
    shown(
      "longest delay of a timer, later rounds, others on the core included",
      most(({ max }) => max),
    ),
    shown("longest block of a round, median of later rounds", median(later.map(({ heldMax }) => heldMax))),
    shown(`the machine's own part: longest gap in ${STILL_MS / 1000} s of a loop that only reads the clock`, still),
  ];
}

if (import.meta.main) console.table(await benchSet(process.argv.includes("--quick")));
