import type { Answer } from "../../api/endpoint.ts";
import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { Upgrades } from "../../api/node/info.ts";
import { PlatformHeight } from "../../api/node/platform.ts";
import { heliconOf } from "../validators/requirement.ts";
import { chainsOf } from "../node/health-messages.ts";
import { chainIds, checkLabel, comparedIds } from "../checked-chains.ts";
import { chainLabel } from "../labels.ts";
import { doubtedHeight, type Doubted } from "./doubted-height.ts";
import { continued, isReached, restoredBehind, savedBehind } from "./saved-behind.ts";
import { addBehind, addMaxima, NOT_BEHIND, type Behind } from "./behind-since.ts";
import {
  addReadings,
  mapNodes,
  type ByNode,
  type History,
  type Observation,
  type Reading,
} from "./height-observations.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";

type ByChainAndNode<A> = ReadonlyMap<string, ByNode<A>>;
type State = {
  readonly histories: ByChainAndNode<History>;
  /** Blocks behind, computed once for each new answer. */
  readonly lags: ByChainAndNode<number>;
  /** Unix seconds of the first answer with the present height. */
  readonly since: ByChainAndNode<number>;
  readonly behind: ReadonlyMap<string, Behind>;
  /** By chain. The history of such a node ends with its last height that was believed. */
  readonly doubted: ReadonlyMap<string, Doubted>;
  /** What an earlier process knew of `behind`, by chain, until its nodes have answered. */
  readonly remembered: ReadonlyMap<string, Behind>;
  readonly highest: ReadonlyMap<string, Highest>;
};

/** The highest height of a chain, and a node that had it. */
type Highest = { readonly height: number; readonly node: string };

const needs = { report: Health, ids: chainIds, height: PlatformHeight, heads: EvmHead, upgrades: Upgrades };

/** Twenty seconds of C-Chain blocks: panels show a node that is further behind. */
export const LAGGING_BLOCKS = 10;
/** A node that is further behind than this does not follow the chain. Seconds. */
export const LAGGING_FOR = 600;

const EMPTY: State = {
  histories: new Map(),
  lags: new Map(),
  since: new Map(),
  behind: new Map(),
  remembered: new Map(),
  highest: new Map(),
  doubted: new Map(),
};

export const lag = comparingTopic(
  {
    id: "lag",
    about: "Which node is behind the others of its network, and since when is it stalled?",
    needs,
    start: () => EMPTY,
    compare,
    saved: {
      save: ({ behind, remembered }: State) => savedBehind(behind, remembered),
      restore: (saved: unknown): State => ({ ...EMPTY, remembered: restoredBehind(saved) }),
    },
    formulas: [
      {
        metric: "avax_chain_lag_blocks",
        formula:
          "highest height that another node had returned before this node's height was read - this node's height, at least 0; a chain is read no earlier than its request, a health check no earlier than the last request whose answer still showed the previous run",
        example: "A node gets a request at 20 s and returns 75; another node returned 100 at 15 s and 103 at 21 s.",
        result: 25,
      },
      {
        metric: "avax_chain_behind_since_timestamp_seconds",
        formula:
          "time of the first answer of another node with a height above this node's present height, where this node was polled after such an answer, and no earlier than its height last fell; of a long lag some of these times are dropped, which makes it up to a few percent shorter",
        example:
          "Another node returns 70 at 5 s, 76 at 15 s and 100 at 25 s. A node returns 70 at 6 s and 75 at 30 s: it is behind since 15 s.",
        result: 15,
      },
    ],
  },
  {
    blocks: gauges(
      "avax_chain_lag_blocks",
      "Blocks that another polled node of the network had already accepted when this node's height was read, by the exporter's clock alone; absent without another node to compare (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight`).",
      ["node", "chain"],
      ({ state }) => flat(state.lags).map(([chain, node, value]) => [{ node, chain }, value]),
    ),
    behindSince: gauges(
      "avax_chain_behind_since_timestamp_seconds",
      "When another polled node of the network was first seen above this node's present height, by the exporter's clock alone; absent while the node keeps up. It is constant while the node is stalled and moves while it lags; the time behind is never overstated, and goes on over a restart of the exporter with `--storage.path` (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight`).",
      ["node", "chain"],
      ({ state }) =>
        flat(new Map([...state.behind].map(([chain, { since }]) => [chain, since] as const))).map(
          ([chain, node, value]) => [{ node, chain }, value],
        ),
    ),
    changed: gauges(
      "avax_chain_height_changed_timestamp_seconds",
      "When the exporter first saw this node at its current height, the start of a stall (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight`).",
      ["node", "chain"],
      ({ state }) => flat(state.since).map(([chain, node, value]) => [{ node, chain }, value]),
    ),
    unconfirmed: gauges(
      "avax_chain_unconfirmed_blocks",
      "Blocks by which this node's height is above that of every other polled node of the network, while no chain makes so many in the time: it takes no part in comparisons until another node confirms it; absent otherwise (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight`).",
      ["node", "chain"],
      ({ state }) => [...state.doubted].map(([chain, { node, blocks }]) => [{ node, chain }, blocks]),
    ),
    highest: gauges(
      "avax_chain_highest_height",
      "Highest believed height that any polled node of the network has accepted; it stays while the node that had it does not answer and the others are lower (platform.getHeight for P, eth_blockNumber for EVM chains, else health API, chain check: `lastAcceptedHeight`).",
      ["chain"],
      ({ state }) => [...state.highest].map(([chain, { height }]) => [{ chain }, height]),
    ),
  },
);

function compare(state: State, data: ComparedData<typeof needs>): State {
  const readings = readingsOf(data);
  const histories = new Map<string, ByNode<History>>();
  const lags = new Map<string, ByNode<number>>();
  const since = new Map<string, ByNode<number>>();
  const behind = new Map<string, Behind>();
  const doubts = new Map<string, Doubted>();
  const remembered = new Map(state.remembered);
  const highest = new Map<string, Highest>();
  for (const [chain, nodes] of readings) {
    const before = state.histories.get(chain) ?? NO_NODES;
    const now = new Map(addReadings(before, nodes));
    const doubted = doubtedOf(before, now, state.since.get(chain) ?? NO_NODES, state.doubted.get(chain)?.node);
    if (doubted !== undefined) {
      doubts.set(chain, doubted);
      now.delete(doubted.node);
    }
    const believed = doubted === undefined ? undefined : before.get(doubted.node);
    histories.set(
      chain,
      doubted === undefined || believed === undefined ? now : new Map(now).set(doubted.node, believed),
    );
    const lagging = lagsOf(before, now, state.lags.get(chain) ?? NO_NODES);
    lags.set(chain, lagging);
    const kept = remembered.get(chain);
    const isBack = kept !== undefined && isReached(kept, now);
    if (isBack) remembered.delete(chain);
    const known = state.behind.get(chain) ?? NOT_BEHIND;
    const last = isBack ? continued(kept, known) : known;
    const maxima = addMaxima(last.maxima, now);
    behind.set(chain, addBehind(last, before, now, maxima, lagging));
    since.set(chain, sinceOf(before, now, state.since.get(chain) ?? NO_NODES));
    const top = highestOf(now, state.highest.get(chain));
    if (top !== undefined) highest.set(chain, top);
  }
  return { histories, lags, since, behind, doubted: doubts, remembered, highest };
}

function doubtedOf(before: ByNode<History>, now: ByNode<History>, since: ByNode<number>, was: string | undefined) {
  const sightings = [...now].map(([node, { height, to, reading, before: earlier }]) => {
    const last = before.get(node);
    return {
      node,
      height,
      at: to,
      since: last?.height === height ? (since.get(node) ?? to) : to,
      before:
        last?.reading.nodeId === reading.nodeId && last !== undefined
          ? { height: last.height, at: last.to }
          : undefined,
      moves: earlier.some((one) => one.height < height),
    };
  });
  return doubtedHeight(sightings, was);
}

/** A node that does not answer has not lost its blocks; one that answers with less has. */
function highestOf(nodes: ByNode<History>, last: Highest | undefined): Highest | undefined {
  let top = last === undefined || nodes.has(last.node) ? undefined : last;
  for (const [node, { height }] of nodes) if (top === undefined || height > top.height) top = { height, node };
  return top;
}

const NO_NODES: ReadonlyMap<string, never> = new Map<string, never>();

/** Readings by chain and node: of P and EVM chains from their own methods where the node answers, else from health checks. */
function readingsOf({ members }: ComparedData<typeof needs>): ByChainAndNode<Reading> {
  const readings = new Map<string, Map<string, Reading>>();
  for (const { facts, answers } of members) {
    const { node, nodeId } = facts;
    const add = (chain: string, reading: Omit<Reading, "nodeId">) => {
      const nodes = readings.get(chain) ?? new Map<string, Reading>();
      readings.set(chain, nodes.set(node, { ...reading, nodeId }));
    };
    const asked = (chain: string, height: number, { askedAt, answeredAt }: Answer) =>
      add(chain, { height, kind: "asked", mark: answeredAt, took: 0, askedAt, answeredAt });
    const { report, height, heads } = answers;
    if (report !== undefined) {
      const ids = comparedIds(answers.ids);
      const { askedAt, answeredAt } = report;
      for (const { check, height: accepted, checkedAt, took = 0 } of chainsOf(report.value)) {
        if (accepted === undefined || checkedAt === undefined) continue;
        const chain = checkLabel(facts, ids, check);
        add(chain, { height: accepted, kind: "checked", mark: checkedAt, took, askedAt, answeredAt });
      }
    }
    if (height !== undefined) asked("P", height.value.height, height);
    for (const [id, head] of heads ?? []) asked(chainLabel(facts, id), head.value.height, head);
  }
  if (members.some(executesLater)) keepExecuted(readings.get("C"));
  return readings;
}

/** Whether Helicon is active: health checks then have the accepted height of C, and its own methods the executed one. */
function executesLater({ answers: { upgrades } }: ComparedData<typeof needs>["members"][number]): boolean {
  return upgrades !== undefined && (heliconOf(upgrades.value) ?? Infinity) <= upgrades.answeredAt;
}

/** Leaves out accepted heights where a node has an executed one: the two are not comparable. */
function keepExecuted(nodes: Map<string, Reading> | undefined): void {
  const all = [...(nodes ?? [])];
  if (!all.some(([, { kind }]) => kind === "asked")) return;
  for (const [node, { kind }] of all) if (kind === "checked") nodes?.delete(node);
}

/**
 * Blocks behind of each node: the highest height that another node had answered before this node was read, less its own
 * height. Polls are not simultaneous, so a later answer proves nothing. The result stays until the node answers again.
 */
function lagsOf(before: ByNode<History>, now: ByNode<History>, lags: ByNode<number>): ByNode<number> {
  const peaks = now.size < 2 ? [] : peaksOf(now);
  return mapNodes(now, (node, { height, from, to }) => {
    const lag = lags.get(node);
    if (lag !== undefined && before.get(node)?.to === to) return lag;
    if (now.size < 2) return undefined;
    const highest = from === undefined ? undefined : highestBut(node, from, peaks);
    return highest === undefined ? lag : Math.max(0, highest - height);
  });
}

/** After an answer at `to`: the highest node and its height, and the height of the highest other node. */
type Peak = { readonly to: number; readonly node: string; readonly height: number; readonly other: number | undefined };

/** The peak after each answer of a chain, in the order of the answers, so that one binary search finds a node's lag. */
function peaksOf(nodes: ByNode<History>): readonly Peak[] {
  const answers = [...nodes]
    .flatMap(([node, history]) =>
      [history, ...history.before].map(({ to, height }: Observation) => ({ node, to, height })),
    )
    .sort((a, b) => a.to - b.to);
  const peaks: Peak[] = [];
  let top: Peak | undefined;
  for (const { node, to, height } of answers) {
    if (top === undefined) top = { to, node, height, other: undefined };
    else if (node === top.node) top = { ...top, to, height: Math.max(top.height, height) };
    else if (height > top.height) top = { to, node, height, other: top.height };
    else top = { ...top, to, other: Math.max(top.other ?? height, height) };
    peaks.push(top);
  }
  return peaks;
}

/** The highest height that a node other than this one had answered by `time`. */
function highestBut(node: string, time: number, peaks: readonly Peak[]): number | undefined {
  let low = 0;
  for (let high = peaks.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((peaks[middle]?.to ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  const peak = peaks[low - 1];
  return peak?.node === node ? peak.other : peak?.height;
}

function sinceOf(before: ByNode<History>, now: ByNode<History>, since: ByNode<number>): ByNode<number> {
  return mapNodes(now, (node, { height, to }) => (before.get(node)?.height === height ? (since.get(node) ?? to) : to));
}

function flat(values: ByChainAndNode<number>): ReadonlyArray<readonly [chain: string, node: string, value: number]> {
  return [...values].flatMap(([chain, nodes]) => [...nodes].map(([node, value]) => [chain, node, value] as const));
}
