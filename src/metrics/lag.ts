import { Health } from "../api/health.ts";
import { PlatformHeight } from "../api/platform.ts";
import { chainsOf } from "./health-messages.ts";
import { chainLabel } from "./labels.ts";
import { fleetTopic, gauges, type FleetData } from "./metric.ts";

/** A height with the span of time in which it was read. Unix seconds. */
type Sight = { readonly height: number; readonly from: number; readonly to: number };
/** By chain, then by node. */
type Sights = ReadonlyMap<string, ReadonlyMap<string, Sight>>;
type State = {
  readonly sights: Sights;
  /** Blocks behind, by chain and node, judged once for each new answer. */
  readonly lags: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** When the height of now was first seen, by chain and node. */
  readonly since: ReadonlyMap<string, ReadonlyMap<string, number>>;
};

const needs = { report: Health, height: PlatformHeight };
const EMPTY: State = { sights: new Map(), lags: new Map(), since: new Map() };

export const lag = fleetTopic(
  {
    id: "lag",
    about: "Which node is behind the others of its network, and since when does it stand still?",
    needs,
    start: () => EMPTY,
    next: (state: State, data: FleetData<typeof needs>): State => {
      const sights = sightsOf(data);
      return { sights, lags: judge(state, sights), since: standing(state, sights) };
    },
  },
  {
    blocks: gauges(
      "avax_chain_lag_blocks",
      "Blocks that another polled node of the network had already accepted when this node answered; absent with nobody to compare (platform.getHeight for P, else health API, chain check: `lastAcceptedHeight` at the check's `timestamp`).",
      ["node", "chain"],
      ({ state }) => flat(state.lags).map(([chain, node, value]) => [{ node, chain }, value]),
    ),
    changed: gauges(
      "avax_chain_height_changed_timestamp_seconds",
      "When the exporter first saw this node at its present height: since then the chain stands still (platform.getHeight for P, else health API, chain check: `lastAcceptedHeight`).",
      ["node", "chain"],
      ({ state }) => flat(state.since).map(([chain, node, value]) => [{ node, chain }, value]),
    ),
    highest: gauges(
      "avax_chain_highest_height",
      "Highest height that any polled node of the network has accepted (platform.getHeight for P, else health API, chain check: `lastAcceptedHeight`).",
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
      expr: `${blocks} > 5`,
      for: "5m",
      summary: "{{ $labels.node }} is {{ $value }} blocks behind on {{ $labels.chain }}",
      description:
        "For 5 minutes {{ $labels.node }} has been behind another node of its network on chain {{ $labels.chain }}, now by {{ $value }} blocks, whatever its health check says.",
      runbook: {
        meaning:
          "Another node had accepted these blocks when this one answered. A node that does not keep up may call itself healthy all the same: after an upgrade that it does not know of it even says so for ever.",
        confirm:
          "Compare `avax_chain_last_accepted_height` of the nodes, and their versions and upgrade times (`info.getNodeVersion`, `info.upgrades`).",
        action:
          "Behind and moving: disk and CPU. Behind and standing still: version and upgrade; upgrade the node, and if it went its own way since the upgrade, sync it anew.",
        falseWhen: "The node just started and is catching up.",
      },
      fires: {
        series: { 'avax_chain_lag_blocks{node="a",chain="C"}': "100x10" },
        at: "7m",
        labels: { node: "a", chain: "C" },
      },
      silent: {
        series: { 'avax_chain_lag_blocks{node="a",chain="C"}': "0 20 0 1 2 0 9 0 0 1 0" },
        at: "7m",
        why: "it catches up again and again",
      },
    },
    {
      name: "AvaxNodeStandsStill",
      severity: "critical",
      expr: `${blocks} > 0 and time() - ${changed} > 600`,
      for: "2m",
      summary: "{{ $labels.node }} stands still on {{ $labels.chain }}, {{ $value }} blocks behind",
      description:
        "{{ $labels.node }} has accepted no block of {{ $labels.chain }} for more than 10 minutes, while another node of its network has: it is {{ $value }} behind.",
      runbook: {
        meaning:
          "The chain moves elsewhere and not on this node. Even one block is enough when nothing moves: on a quiet chain a node that was left behind by an upgrade is only a few blocks behind.",
        confirm: "As for AvaxNodeLagging.",
        action: "As for AvaxNodeLagging; compare `avax_node_upgrade_local_timestamp_seconds` with other nodes first.",
        falseWhen: "None known: another node has the block.",
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

/** The last heights of every node: P asked directly where the node has the method, the others from the health report. */
function sightsOf({ members }: FleetData<typeof needs>): Sights {
  const sights = new Map<string, Map<string, Sight>>();
  const add = (chain: string, node: string, sight: Sight) => {
    const nodes = sights.get(chain) ?? new Map<string, Sight>();
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
  }
  return sights;
}

/**
 * Blocks behind of each node: the highest height that another node had answered before this one was asked, less its own.
 * Polls are not simultaneous, so nothing else is true. An old judgement stays until the node answers again.
 */
function judge(state: State, sights: Sights): State["lags"] {
  return mapNodes(sights, (chain, node, own) => {
    const before = state.sights.get(chain);
    const judged = state.lags.get(chain)?.get(node);
    if (judged !== undefined && before?.get(node)?.to === own.to) return judged;
    const others = [...(sights.get(chain) ?? []), ...(before ?? [])].filter(([other]) => other !== node);
    if (others.length === 0) return undefined;
    const known = others.filter(([, { to }]) => to <= own.from).map(([, { height }]) => height);
    return known.length === 0 ? judged : Math.max(0, Math.max(...known) - own.height);
  });
}

function standing(state: State, sights: Sights): State["since"] {
  return mapNodes(sights, (chain, node, own) =>
    state.sights.get(chain)?.get(node)?.height === own.height ? (state.since.get(chain)?.get(node) ?? own.to) : own.to,
  );
}

function mapNodes(
  sights: Sights,
  read: (chain: string, node: string, own: Sight) => number | undefined,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  return new Map(
    [...sights].map(([chain, nodes]) => [
      chain,
      new Map(
        [...nodes]
          .map(([node, own]) => [node, read(chain, node, own)] as const)
          .filter((row): row is readonly [string, number] => row[1] !== undefined),
      ),
    ]),
  );
}

function flat(
  values: ReadonlyMap<string, ReadonlyMap<string, number>>,
): ReadonlyArray<readonly [chain: string, node: string, value: number]> {
  return [...values].flatMap(([chain, nodes]) => [...nodes].map(([node, value]) => [chain, node, value] as const));
}
