import fc from "fast-check";
import type { Diagnosis } from "../../../src/diagnosis/finding.ts";
import { defaultNode } from "../../../src/config/default-config.ts";
import type { Config } from "../../../src/config/config.ts";
import { createWorld } from "../../../simulator/world/genesis.ts";
import { settle } from "../../../simulator/world/options.ts";
import type { Series } from "../../e2e/support/exposition.ts";
import { simulatedNodes } from "../soak/simulated-node.ts";
import { LIES, lied, type Lie } from "./lies.ts";
import type { Made, Sent } from "./answering-client.ts";

/** One network in which every node is honest, and others, the same but for one node that lies for some polls of each round. */

const NETWORKS = 5;
const NODES = 4;
const SIZE = { nodes: NODES, validators: 12, peers: 12 };
const HONEST = "honest";
/** Series of one family about one network: a list that a server chooses has a hundred names, for each of its nodes. */
const MOST_SERIES = 150 * NODES;

const lie = fc.record({ kind: fc.constantFrom(...LIES), at: fc.nat(100_000) });

/** Counters that have a series from the first failure on, who is asked, and a lag that is known once the health check has run again, within 30 s. */
const LATE = /^avax_(poll|endpoint|acp_vote)_|^avax_chain_lag_blocks .*"chain":"X"/;
/** Two nodes that have different blocks: it blames neither. */
const OF_BOTH = "AvaxChainForked";

/** Counters of what each network makes every few seconds. */
const BLOCKS = /^avax_evm_blocks_total .*"C"/;
/** Times and heights are those of the honest network, but for the seconds of a round. */
const MOST_APART = 60;

function apart(key: string, value: number, honest: number | undefined): readonly string[] {
  const isKnown = honest !== undefined && /^avax_\w+(?<!_changed)(_timestamp_seconds|_height) /.test(key);
  return isKnown && Math.abs(value - honest) > MOST_APART ? [`${key} is ${value} instead of ${honest}`] : [];
}

type Round = { readonly number: number; readonly lies: readonly Lie[]; readonly isTold: boolean };

/** @param now Unix seconds */
export function createTold(seed: number, now: () => number) {
  const players = simulatedNodes(SIZE, () => now() * 1000);
  const world = createWorld(settle({ nodes: NODES, validators: SIZE.validators }, now() * 1000));
  const networks = [HONEST, ...Array.from({ length: NETWORKS }, (_, at) => `lies-${at}`)];
  let then: ReturnType<typeof byNetwork> = new Map();
  let round: Round = { number: -1, lies: [], isTold: false };

  /** The node of a network that lies in this round: each in its turn, the reference node among them. */
  const liar = (network: number): number => (network + round.number) % NODES;

  /** The series of each network, without its name. */
  const byNetwork = (series: ReadonlyMap<string, Series>) => {
    const found = new Map<string, Map<string, Series>>(networks.map((name) => [name, new Map()]));
    for (const each of series.values()) {
      // The nodes of all networks have the same IDs, so that a name is that of another network.
      const { network = "", name: _, ...rest } = each.labels;
      found.get(network)?.set(without(network, `${each.name} ${JSON.stringify(rest)}`), each);
    }
    return found;
  };
  /** Pages by network, of the honest nodes. */
  const pages = ({ problems }: Diagnosis, network: string, skipped?: number): readonly string[] =>
    problems
      .flatMap((each) => [each, ...each.consequences])
      .filter(
        ({ alert, severity, labels }) => alert !== OF_BOTH && severity === "critical" && labels["network"] === network,
      )
      .filter(({ node, labels }) => {
        const own = skipped === undefined ? undefined : `${network}-${skipped}`;
        const nodeId = skipped === undefined ? undefined : players[skipped]?.nodeId;
        return node !== own && labels["node"] !== own && labels["node_id"] !== nodeId;
      })
      .map(({ alert, labels }) => without(network, `${alert} ${JSON.stringify(labels)}`));
  const describe = (network: number) => {
    const { kind = "", at = 0 } = round.lies[network - 1] ?? {};
    return `${kind} ${at} of node ${liar(network)}`;
  };

  return {
    nodes: networks.flatMap((network) =>
      players.map((_, at) => ({
        ...defaultNode(`${network}-${at}`, `http://${network}-${at}.told:9650`),
        network,
        subnets: world.subnets.map(({ id }) => id),
      })),
    ),
    subnets: world.subnets.map(({ id, name, chain, chainId }): Config["subnets"][number] => ({
      ...{ id, name },
      chains: [{ id: chainId, name: chain, evm: true }],
    })),
    isTold: (origin: string): boolean => origin.includes(".told"),
    respond(origin: string, { path, method, body }: Sent): Made {
      const [, network = "", at = ""] = /^http:\/\/(.*)-(\d+)\.told/.exec(origin) ?? [];
      const answered = players[Number(at)]?.play(method, path, body);
      if (answered === undefined) throw new Error("no such node");
      const { status, headers, body: text } = answered.reply;
      const index = networks.indexOf(network);
      const drawn = round.isTold && index > 0 && liar(index) === Number(at) ? round.lies[index - 1] : undefined;
      return { status, headers, body: Buffer.from(drawn === undefined ? text : lied(text, drawn)) };
    },
    /** Begins the next lies. */
    begin(): void {
      const number = round.number + 1;
      round = { number, lies: fc.sample(lie, { seed: seed + number, numRuns: NETWORKS }), isTold: true };
    },
    end: () => void (round = { ...round, isTold: false }),
    /** What does not hold while one node of each network lies. */
    during: (series: ReadonlyMap<string, Series>, diagnosis: Diagnosis): readonly string[] => {
      const known = new Set(pages(diagnosis, HONEST));
      const all = (then = byNetwork(series));
      return networks.slice(1).flatMap((network, at) => {
        const about = describe(at + 1);
        const families = Map.groupBy(all.get(network)?.values() ?? [], ({ name }) => name);
        return [
          ...pages(diagnosis, network, liar(at + 1)).filter((page) => !known.has(page)),
          ...[...families]
            .filter(([, { length }]) => length > MOST_SERIES)
            .map(([name, { length }]) => `${name} has ${length} series`),
        ].map((problem) => `${problem} (${about})`);
      });
    },
    /** What is not as in the honest network, three polls after the lies. */
    after: (series: ReadonlyMap<string, Series>, diagnosis: Diagnosis): readonly string[] => {
      const all = byNetwork(series);
      const honest = all.get(HONEST) ?? new Map<string, Series>();
      const known = new Set(pages(diagnosis, HONEST));
      return networks.slice(1).flatMap((network, at) => {
        const own = all.get(network) ?? new Map<string, Series>();
        return [
          ...pages(diagnosis, network)
            .filter((page) => !known.has(page))
            .map((page) => `still ${page}`),
          ...[...honest.keys()].filter((key) => !own.has(key) && !LATE.test(key)).map((key) => `lost ${key}`),
          ...[...own].flatMap(([key, { value }]) => apart(key, value, honest.get(key)?.value)),
          ...[...own]
            .filter(([key, { value }]) => BLOCKS.test(key) && value === then.get(network)?.get(key)?.value)
            .map(([key]) => `stands still: ${key}`),
          ...[...own.keys()].filter((key) => !honest.has(key) && !LATE.test(key)).map((key) => `stays ${key}`),
        ].map((problem) => `${problem.slice(0, 300)} (${describe(at + 1)})`);
      });
    },
  };
}

/** A text with the names of a network and its nodes replaced by those of any. */
const without = (network: string, text: string): string => text.replaceAll(network, "any");
