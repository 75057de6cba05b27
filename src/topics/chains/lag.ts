import { z } from "zod";
import type { Answer } from "../../api/endpoint.ts";
import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { IsBootstrapped, Upgrades } from "../../api/node/info.ts";
import { PlatformHeight } from "../../api/node/platform.ts";
import { heliconOf } from "../validators/validator-requirement.ts";
import { chainIds, comparedIds } from "../chain-ids.ts";
import { CHECKS_FROZEN_AFTER } from "../node/health.ts";
import { labelledChains } from "../node/health-messages.ts";
import { chainLabel, PRIMARY_CHAINS } from "../labels.ts";
import { doubtedHeight, type Doubted } from "./doubted-height.ts";
import { addBehind, continued, isReached, isWorthSaving, NOT_BEHIND, rememberedOf, SAVED_BEHIND } from "./behind.ts";
import { afterReading, withLags, type ByNode, type HeightHistory, type HeightReading } from "./height-history.ts";
import { gauges, perRow, type Context } from "../define/metric.ts";
import { optional, type ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { Reaches } from "../reach.ts";
import { bootstrappingOf, SAVED_VERDICTS, secondsBehind, verdictsAfter } from "./behind-verdict.ts";
import type { BehindVerdict, ComparedChain } from "./behind-verdict.ts";

/** With the highest height, and a node that had it. */
type Chain = ComparedChain & { readonly highest?: { readonly height: number; readonly node: string } | undefined };
/** By chain. */
export type Heights = ReadonlyMap<string, Chain>;
type State = { readonly chains: Heights; readonly verdicts: ByNode<BehindVerdict> };

const SAVED = z.object({ chains: SAVED_BEHIND, nodes: SAVED_VERDICTS });

const UNKNOWN: Chain = { nodes: new Map(), behind: NOT_BEHIND };

const heightNeeds = { report: Health, ids: chainIds, height: PlatformHeight, heads: EvmHead, upgrades: Upgrades };
/** What decides which heights count is not compared. */
const needs = { reach: optional(Reaches), done: optional(IsBootstrapped), ...heightNeeds };

/** Twenty seconds of C-Chain blocks: panels show a node that is further behind. */
export const LAGGING_BLOCKS = 10;
/** A node that is behind for less time keeps up: a block or two between polls are none. Seconds. */
export const BEHIND_FOR = 60;
/** A node that is further behind than this does not follow the chain. Seconds. */
export const LAGGING_FOR = 600;

const SOURCE =
  "(platform.getHeight for P, eth_blockNumber for EVM chains, which is the last executed block of C since Helicon, else health API, chain check: `lastAcceptedHeight`).";

const ofNode = perRow({
  labels: ["node", "chain"],
  of: ({ state }: { readonly state: State }) =>
    [...state.chains].flatMap(([chain, { nodes, doubted, behind }]) =>
      [...nodes]
        .filter(([node]) => node !== doubted?.node)
        .map(
          ([node, history]) =>
            [
              { node, chain },
              { history, since: behind.since.get(node) },
            ] as const,
        ),
    ),
});

export const lag = comparingTopic(
  {
    id: "lag",
    about: "Which node is behind the others of its network, and since when is it stalled?",
    needs,
    start: (): State => ({ chains: new Map(), verdicts: new Map() }),
    compare: ({ chains: before, verdicts }: State, data: ComparedData<typeof needs>, { time }: Context): State => {
      const chains = heightsAfter(before, data);
      return { chains, verdicts: verdictsAfter(verdicts, data.members, chains, time) };
    },
    saved: {
      save: ({ chains, verdicts }: State) => {
        const behind = [...chains]
          .map(([chain, { behind: present, nodes, remembered = rememberedOf(present, nodes) }]) => ({
            chain,
            ...remembered,
          }))
          .filter(isWorthSaving);
        const nodes = new Set(behind.flatMap(({ since }) => [...since.keys()]));
        return {
          chains: behind.map(({ since, fell, asked, ...rest }) => ({
            ...rest,
            ...{ since: [...since], fell: [...fell], asked: [...asked] },
          })),
          nodes: [...verdicts].filter(
            ([node, { since, to }]) => since !== undefined && (to === undefined ? nodes.has(node) : to > since),
          ),
        };
      },
      restore(saved: unknown): State {
        const { chains, nodes } = SAVED.parse(saved);
        return {
          chains: new Map(chains.map(({ chain, ...remembered }) => [chain, { ...UNKNOWN, remembered }])),
          verdicts: nodes,
        };
      },
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
    behindFor: {
      ...gauges(
        "avax_node_behind_seconds",
        `How long the node has been behind another polled node of its network, on the chain that is behind longest; 0 while it keeps up. Chains that are bootstrapping do not count. Of a node that does not answer the last value; absent without another node to compare ${SOURCE}`,
        ["node"],
        ({ state }, { time }) =>
          [...state.verdicts].map(([node, verdict]) => [{ node }, secondsBehind(verdict, time)] as const),
      ),
      recurring: true,
    },
    blocks: {
      ...ofNode.gauge(
        "avax_chain_lag_blocks",
        `Blocks that another polled node of the network had already accepted when this node's height was read, by the exporter's clock alone; absent without another node to compare ${SOURCE}`,
        ({ history }) => history.lag,
      ),
      recurring: true,
    },
    behindSince: {
      ...ofNode.gauge(
        "avax_chain_behind_since_timestamp_seconds",
        `When another polled node of the network was first seen above this node's present height, by the exporter's clock alone; absent while the node keeps up. It is constant while the node is stalled and moves while it lags; the time behind is never overstated, and goes on over a restart of the exporter with a state file ${SOURCE}`,
        ({ since }) => since,
      ),
      recurring: true,
    },
    changed: ofNode.gauge(
      "avax_chain_height_changed_timestamp_seconds",
      `When the exporter first saw this node at its current height, the start of a stall ${SOURCE}`,
      ({ history }) => history.changedAt,
    ),
    unconfirmed: gauges(
      "avax_chain_unconfirmed_blocks",
      `Blocks by which this node's height is above that of every other polled node of the network, more than the chain's own pace allows in the time: it takes no part in comparisons until another node confirms it; absent otherwise, and while the node bootstraps the chain ${SOURCE}`,
      ["node", "chain"],
      ({ state, members }) =>
        [...state.chains].flatMap(([chain, { doubted }]) => {
          const member = members.find(({ facts }) => facts.node === doubted?.node);
          if (doubted === undefined || (member !== undefined && bootstrappingOf(member).has(chain))) return [];
          return [[{ node: doubted.node, chain }, doubted.blocks] as const];
        }),
    ),
    highest: gauges(
      "avax_chain_highest_height",
      `Highest believed height that any polled node of the network has accepted; it stays while the node that had it does not answer and the others are lower ${SOURCE}`,
      ["chain"],
      ({ state }) => [...state.chains].map(([chain, { highest }]) => [{ chain }, highest?.height]),
    ),
  },
);

/** The nodes with the answers that have heights. */
type Read = ComparedData<typeof heightNeeds>;

/** The heights of all chains after the present answers. */
export function heightsAfter(state: Heights, data: Read): Heights {
  const readings = readingsOf(data);
  const awaited = [...state].filter(([, { remembered }]) => remembered !== undefined);
  return new Map([
    ...awaited.map(([chain, { remembered }]) => [chain, { ...UNKNOWN, remembered }] as const),
    ...[...readings].map(([chain, nodes]) => [chain, next(state.get(chain) ?? UNKNOWN, nodes)] as const),
  ]);
}

/** Blocks that a node is behind, on the chain of the Primary Network where it is furthest behind; `undefined` without another node to compare. */
export function lagOf(state: Heights, node: string): number | undefined {
  const lags = [...state].flatMap(([chain, { nodes, doubted }]) =>
    doubted?.node === node || !PRIMARY_CHAINS.has(chain) ? [] : (nodes.get(node)?.lag ?? []),
  );
  return lags.length === 0 ? undefined : Math.max(...lags);
}

/** What is known of a chain after the present readings. A doubted node takes no part. */
function next({ nodes: before, ...last }: Chain, readings: ByNode<HeightReading>): Chain {
  const seen = new Map([...readings].map(([node, reading]) => [node, afterReading(before.get(node), reading)]));
  const doubted = doubtedOf(before, seen, last.doubted?.node);
  if (doubted !== undefined) seen.delete(doubted.node);
  const kept = [...before].filter(([node]) => node === doubted?.node);
  const nodes = withLags(before, seen);
  const { remembered } = last;
  const isBack = remembered !== undefined && isReached(remembered, nodes);
  return {
    nodes: new Map([...nodes, ...kept]),
    behind: addBehind(isBack ? continued(remembered, last.behind) : last.behind, before, nodes),
    remembered: isBack ? undefined : remembered,
    doubted,
    highest: highestOf(nodes, last.highest),
  };
}

function doubtedOf(
  before: ByNode<HeightHistory>,
  now: ByNode<HeightHistory>,
  was: string | undefined,
): Doubted | undefined {
  const sightings = [...now].map(([node, { height, to, changedAt, reading, observations }]) => {
    const last = before.get(node);
    const same = last?.reading.nodeId === reading.nodeId ? last : undefined;
    return {
      node,
      height,
      at: to,
      since: changedAt,
      before: same && { height: same.height, at: same.to },
      pace: same?.pace,
      moves: observations.some((earlier) => earlier.height < height),
    };
  });
  return doubtedHeight(sightings, was);
}

/** A node that does not answer has not lost its blocks; one that answers with less has. */
function highestOf(nodes: ByNode<HeightHistory>, last: Chain["highest"]): Chain["highest"] {
  let top = last === undefined || nodes.has(last.node) ? undefined : last;
  for (const [node, { height }] of nodes) if (top === undefined || height > top.height) top = { height, node };
  return top;
}

/** Readings by chain and node: of P and EVM chains from their own methods where the node answers, else from health checks. */
function readingsOf({ members }: Read): ReadonlyMap<string, ByNode<HeightReading>> {
  const readings = new Map<string, Map<string, HeightReading>>();
  for (const { facts, answers } of members) {
    const { node, nodeId } = facts;
    const add = (chain: string, reading: Omit<HeightReading, "nodeId">) => {
      const nodes = readings.get(chain) ?? new Map<string, HeightReading>();
      readings.set(chain, nodes.set(node, { ...reading, nodeId }));
    };
    const asked = (chain: string, height: number, { askedAt, answeredAt }: Answer) =>
      add(chain, { height, kind: "asked", mark: answeredAt, took: 0, askedAt, answeredAt });
    const { report, height, heads } = answers;
    if (report !== undefined) {
      const { value, askedAt, answeredAt } = report;
      for (const [chain, check] of labelledChains(facts, value, comparedIds(answers.ids))) {
        const { height: accepted, checkedAt: mark, took = 0 } = check;
        // A node whose checks hang repeats a height of long ago: where it is now is unknown, and AvaxHealthFrozen names it.
        const isRecent = mark !== undefined && (value.date ?? mark) - mark < CHECKS_FROZEN_AFTER;
        if (accepted !== undefined && isRecent)
          add(chain, { height: accepted, kind: "checked", mark, took, askedAt, answeredAt });
      }
    }
    if (height !== undefined) asked("P", height.value.height, height);
    for (const [id, head] of heads ?? []) asked(chainLabel(facts, id), head.value.height, head);
  }
  if (members.some(executesLater)) keepExecuted(readings.get("C"));
  return readings;
}

/** Whether Helicon is active: health checks then have the accepted height of C, and its own methods the executed one. */
function executesLater({ answers: { upgrades } }: Read["members"][number]): boolean {
  return upgrades !== undefined && (heliconOf(upgrades.value) ?? Infinity) <= upgrades.answeredAt;
}

/** Leaves out accepted heights where a node has an executed one: the two are not comparable. */
function keepExecuted(nodes: Map<string, HeightReading> | undefined): void {
  const all = [...(nodes ?? [])];
  if (!all.some(([, { kind }]) => kind === "asked")) return;
  for (const [node, { kind }] of all) if (kind === "checked") nodes?.delete(node);
}
