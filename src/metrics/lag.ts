import { EvmHead } from "../api/evm-head.ts";
import { Health } from "../api/health.ts";
import { PlatformHeight } from "../api/platform.ts";
import { chainsOf } from "./health-messages.ts";
import { chainLabel } from "./labels.ts";
import { fleetTopic, gauges, type FleetData } from "./metric.ts";

/** A height with the span of time in which it was read. Unix seconds. */
type Sight = { readonly height: number; readonly from: number; readonly to: number };
/** The last height of a node and the one read before it: the last may be younger than the one that it is compared with. */
type Seen = Sight & { readonly before?: Sight | undefined };
/** By chain, then by node. */
type Sights = ReadonlyMap<string, ReadonlyMap<string, Seen>>;
type State = {
  readonly sights: Sights;
  /** Blocks behind, by chain and node, judged once for each new answer. */
  readonly lags: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** When the height of now was first seen, by chain and node. */
  readonly since: ReadonlyMap<string, ReadonlyMap<string, number>>;
};

const needs = { report: Health, height: PlatformHeight, heads: EvmHead };

/** Twenty seconds of C-Chain blocks: more than nodes differ by because of their clocks and the way of a block. */
export const LAGGING_BLOCKS = 10;
/** Without a new block for this long, while another node has one, a node stands still. Seconds. */
export const STANDING_AFTER = 600;

const EMPTY: State = { sights: new Map(), lags: new Map(), since: new Map() };

export const lag = fleetTopic(
  {
    id: "lag",
    about: "Which node is behind the others of its network, and since when does it stand still?",
    needs,
    start: () => EMPTY,
    next: (state: State, data: FleetData<typeof needs>): State => {
      const sights = remember(state.sights, sightsOf(data));
      return { sights, lags: judge(state, sights), since: standing(state, sights) };
    },
  },
  {
    blocks: gauges(
      "avax_chain_lag_blocks",
      "Blocks that another polled node of the network had already accepted when this node answered; absent with nobody to compare (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight` at the check's `timestamp`).",
      ["node", "chain"],
      ({ state }) => flat(state.lags).map(([chain, node, value]) => [{ node, chain }, value]),
    ),
    changed: gauges(
      "avax_chain_height_changed_timestamp_seconds",
      "When the exporter first saw this node at its present height: since then the chain stands still (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight`).",
      ["node", "chain"],
      ({ state }) => flat(state.since).map(([chain, node, value]) => [{ node, chain }, value]),
    ),
    highest: gauges(
      "avax_chain_highest_height",
      "Highest height that any polled node of the network has accepted (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight`).",
      ["network", "chain"],
      ({ state }, { networkLabel }) =>
        [...state.sights].map(([chain, nodes]) => [
          { network: networkLabel, chain },
          Math.max(...[...nodes.values()].map(({ height }) => height)),
        ]),
    ),
  },
  ({ blocks, changed }) => [
    {
      name: "AvaxNodeLagging",
      severity: "critical",
      expr: `${blocks} > ${LAGGING_BLOCKS}`,
      for: "5m",
      summary: "{{ $labels.node }} is {{ $value }} blocks behind on {{ $labels.chain }}",
      description: `For 5 minutes {{ $labels.node }} has been more than ${LAGGING_BLOCKS} blocks behind another node of its network on chain {{ $labels.chain }}, now {{ $value }}. Its health check need not notice.`,
      runbook: {
        meaning:
          "Another node had already accepted these blocks when this one answered. A node that does not keep up may call itself healthy all the same, and one that was left behind by an upgrade goes on saying so for ever.",
        confirm:
          "Compare `avax_chain_last_accepted_height` of the nodes, and their versions and upgrade times (`info.getNodeVersion`, `info.upgrades`).",
        commands: [
          {
            run: "call <node> eth_blockNumber --chain=<chain>",
            see: "The height that the node has, in hexadecimal; of the P-Chain ask `platform.getHeight`.",
          },
          {
            run: "call <any-node> eth_blockNumber --chain=<chain>",
            see: "Another node of the network has more, and more of it at each call.",
          },
        ],
        action:
          "Behind and moving: disk and CPU. Behind and standing still: version and upgrade; upgrade the node, and if it went its own way since the upgrade, sync it anew.",
        falseWhen:
          "The node was started a short while ago and is catching up; or the clocks of the nodes differ by more than ten seconds, because chains that are not asked directly are compared by the time of each node's own clock.",
      },
      fires: {
        series: { 'avax_chain_lag_blocks{node="a",chain="C"}': "100x10" },
        at: "7m",
        labels: { node: "a", chain: "C" },
      },
      silent: {
        series: { 'avax_chain_lag_blocks{node="a",chain="C"}': "0 20 0 1 2 0 29 0 0 1 0" },
        at: "7m",
        why: "it catches up again and again",
      },
    },
    {
      name: "AvaxNodeStandsStill",
      severity: "critical",
      expr: `${blocks} > 0 and time() - ${changed} > ${STANDING_AFTER}`,
      for: "2m",
      summary: "{{ $labels.node }} stands still on {{ $labels.chain }}, {{ $value }} blocks behind",
      description:
        "{{ $labels.node }} has accepted no block of {{ $labels.chain }} for more than 10 minutes, while another node of its network has: it is {{ $value }} behind.",
      runbook: {
        meaning:
          "The chain moves elsewhere and not on this node. One block is reason enough when nothing moves: on a quiet chain a node that an upgrade left behind is only a few blocks behind.",
        confirm:
          "Compare `avax_chain_last_accepted_height` and `avax_platform_height` of the nodes; see `avax_chain_height_changed_timestamp_seconds` for the time since when it stands still.",
        commands: [
          {
            run: "call <node> platform.getHeight",
            see: "Does not move between two calls; of an EVM chain ask `eth_blockNumber` with `--chain=<chain>`.",
          },
          {
            run: "call <any-node> platform.getHeight",
            see: "Moves between two calls.",
          },
        ],
        action:
          "Compare its version and `avax_node_upgrade_local_timestamp_seconds` with other nodes first: upgrade the node, and sync it anew if it went its own way since the upgrade. Same version everywhere: its peers, then its log for the block that it cannot accept.",
        falseWhen: "None is known: another node has a block that this one has not accepted for ten minutes.",
      },
      fires: {
        series: {
          'avax_chain_lag_blocks{node="a",chain="P"}': "2x20",
          'avax_chain_height_changed_timestamp_seconds{node="a",chain="P"}': "0x20",
        },
        at: "14m",
        labels: { node: "a", chain: "P" },
      },
      silent: {
        series: {
          'avax_chain_lag_blocks{node="a",chain="P"}': "0x20",
          'avax_chain_height_changed_timestamp_seconds{node="a",chain="P"}': "0x20",
        },
        at: "14m",
        why: "the chain is quiet everywhere",
      },
    },
  ],
);

/** The last heights of every node: P and EVM chains asked directly where the node answers, the others from the health report. */
function sightsOf({ members }: FleetData<typeof needs>): Sights {
  const sights = new Map<string, Map<string, Seen>>();
  const add = (chain: string, node: string, sight: Sight) => {
    const nodes = sights.get(chain) ?? new Map<string, Seen>();
    sights.set(chain, nodes.set(node, sight));
  };
  for (const { subject, answers } of members) {
    for (const { check, height, checkedAt } of answers.report === undefined ? [] : chainsOf(answers.report.value)) {
      if (height !== undefined && checkedAt !== undefined) {
        add(chainLabel(subject, check), subject.node, { height, from: checkedAt, to: checkedAt });
      }
    }
    const direct = answers.height;
    if (direct !== undefined)
      add("P", subject.node, { height: direct.value.height, from: direct.askedAt, to: direct.answeredAt });
    for (const [id, { value, askedAt, answeredAt }] of answers.heads ?? [])
      add(chainLabel(subject, id), subject.node, { height: value.height, from: askedAt, to: answeredAt });
  }
  return sights;
}

/** Keeps the answer before the last one of each node, however often the others have answered since. */
function remember(known: Sights, now: Sights): Sights {
  return mapNodes(now, (chain, node, { height, from, to }) => {
    const last = known.get(chain)?.get(node);
    if (last === undefined) return { height, from, to };
    if (last.to === to) return last;
    return { height, from, to, before: { height: last.height, from: last.from, to: last.to } };
  });
}

/**
 * Blocks behind of each node: the highest height that another node had answered before this one was asked, less its own.
 * Polls are not simultaneous, so nothing else is true. An old judgement stays until the node answers again.
 */
function judge(state: State, sights: Sights): State["lags"] {
  const ladders = new Map([...sights].map(([chain, nodes]) => [chain, ladderOf(nodes)]));
  return mapNodes(sights, (chain, node, own) => {
    const judged = state.lags.get(chain)?.get(node);
    if (judged !== undefined && state.sights.get(chain)?.get(node)?.to === own.to) return judged;
    if ((sights.get(chain)?.size ?? 0) < 2) return undefined;
    const known = highestBut(node, own.from, ladders.get(chain) ?? []);
    return known === undefined ? judged : Math.max(0, known - own.height);
  });
}

/** What was known once an answer had come: the highest node, and the height of the highest other one. */
type Rung = { readonly to: number; readonly node: string; readonly height: number; readonly other: number | undefined };

/** All answers of a chain, in the order in which they came. With it each node is judged by one search, not by looking at all others. */
function ladderOf(nodes: ReadonlyMap<string, Seen>): readonly Rung[] {
  const answers = [...nodes]
    .flatMap(([node, seen]) =>
      (seen.before === undefined ? [seen] : [seen, seen.before]).map((sight) => ({ node, sight })),
    )
    .sort((a, b) => a.sight.to - b.sight.to);
  const rungs: Rung[] = [];
  let top: Rung | undefined;
  for (const { node, sight } of answers) {
    const { to, height } = sight;
    if (top === undefined) top = { to, node, height, other: undefined };
    else if (node === top.node) top = { ...top, to, height: Math.max(top.height, height) };
    else if (height > top.height) top = { to, node, height, other: top.height };
    else top = { ...top, to, other: Math.max(top.other ?? height, height) };
    rungs.push(top);
  }
  return rungs;
}

/** The highest height that a node other than this one had answered by `time`. */
function highestBut(node: string, time: number, rungs: readonly Rung[]): number | undefined {
  let low = 0;
  for (let high = rungs.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((rungs[middle]?.to ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  const rung = rungs[low - 1];
  return rung?.node === node ? rung.other : rung?.height;
}

function standing(state: State, sights: Sights): State["since"] {
  return mapNodes(sights, (chain, node, own) =>
    state.sights.get(chain)?.get(node)?.height === own.height ? (state.since.get(chain)?.get(node) ?? own.to) : own.to,
  );
}

function mapNodes<V>(
  sights: Sights,
  read: (chain: string, node: string, own: Seen) => V | undefined,
): ReadonlyMap<string, ReadonlyMap<string, V>> {
  return new Map(
    [...sights].map(([chain, nodes]) => [
      chain,
      new Map(
        [...nodes].flatMap(([node, own]) => {
          const value = read(chain, node, own);
          return value === undefined ? [] : [[node, value] as const];
        }),
      ),
    ]),
  );
}

function flat(
  values: ReadonlyMap<string, ReadonlyMap<string, number>>,
): ReadonlyArray<readonly [chain: string, node: string, value: number]> {
  return [...values].flatMap(([chain, nodes]) => [...nodes].map(([node, value]) => [chain, node, value] as const));
}
