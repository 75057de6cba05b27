import { type Row } from "./measure.ts";
import { configOf, startDaemon, startNetwork } from "./processes.ts";
import type { Cost } from "./daemon.ts";
import { median, pause } from "./measure.ts";

/**
 * How long a large validator set holds up everything else: 2,000 validators, all on the watch list, and in another network
 * one with 5,000 delegators, who are all in its record. A block is how long the event loop was at work between two calls of
 * a timer of 1 ms, pauses to collect garbage included, but not the time in which the system ran other processes and threads
 * on the core: with the simulated network on the same machine that is no doing of the answers. What the host of a virtual
 * machine takes cannot be told from work: how much that is on this machine is shown beside it.
 */

const VALIDATORS = 2000;
const DELEGATORS = 5000;
const MOST_MS = 25;
/** Seconds between answers here, so that a short run sees many; each kind of answer is what the default cadence brings. */
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
  return {
    work: what,
    ours: `${ms.toFixed(1)} ms`,
    peer: "",
    ratio: "",
    target: `<= ${MOST_MS} ms`,
    met: ms <= MOST_MS,
  };
}

/** Milliseconds for which the machine is watched alone. */
const STILL_MS = 10_000;

/** The longest time that passed between two looks at the clock while this process did nothing else. Milliseconds. */
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
  // A node lists delegators only when it is asked about one validator: here about itself.
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
  const shown = (what: string, ms: number): Row => ({ ...row(`${work}: ${what}`, ms), target: "", met: true });
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
