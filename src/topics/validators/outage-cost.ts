import { z } from "zod";
import { Health } from "../../api/node/health.ts";
import { Peers, Upgrades } from "../../api/node/info.ts";
import { Validators, WatchedValidators } from "../../api/node/platform.ts";
import { chainIds } from "../chain-ids.ts";
import { perRow, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { isDown, reachableStake } from "../node/reachable-stake.ts";
import { isSeen } from "../node/reach.ts";
import { downSince, Reaches } from "../reach.ts";
import { loopTolerance, outageTolerance } from "./outage-tolerance.ts";
import { restoreStakes, saveStakes, stakesAfter, type WatchedStake } from "./watched-stake.ts";

const needs = {
  reach: Reaches,
  report: Health,
  ids: chainIds,
  peers: Peers,
  watched: WatchedValidators,
  sets: Validators,
  upgrades: Upgrades,
};
type Members = ComparedData<typeof needs>["members"];
type Stakes = ReadonlyMap<string, readonly WatchedStake[]>;

type State = {
  /** Of the polled nodes, by network. */
  readonly stakes: Stakes;
  /** Nodes that do not answer, and that another one is connected to. */
  readonly seen: ReadonlySet<string>;
  readonly at: number;
};

const saved = z.object({ stakes: z.record(z.string(), z.unknown()), seen: z.array(z.string()) });

/**
 * A planned restart is shorter. Whoever is paged needs it here and not as `for` of the alert: Prometheus would count on while the exporter
 * is away, and page for a node that was back within a minute. Seconds.
 */
const RESTART = 120;

const ofNode = perRow({
  labels: ["node", "node_id"],
  of: ({ members, state: { stakes, seen, at } }: { readonly members: Members; readonly state: State }) => {
    const byValidator = new Map(
      [...stakes].map(([network, each]) => [network, Map.groupBy(each, ({ nodeId }) => nodeId)] as const),
    );
    return members.map((member) => {
      const { node, nodeId, network = "" } = member.facts;
      const own = (nodeId === undefined ? undefined : byValidator.get(network)?.get(nodeId)) ?? [];
      const known = own.filter(({ figures }) => figures.left !== undefined);
      const since = member.answers.reach && downSince(member.answers.reach.value);
      const isUnseen = since !== undefined && at - since >= RESTART && !seen.has(node);
      return [
        { node, node_id: nodeId ?? "" },
        { stakes: known, isUnseen, reach: member.answers.reach?.value, at },
      ];
    });
  },
});

const SOURCE = "(platform.getCurrentValidators with nodeIDs, `uptime`, `startTime`, `endTime`";

/** For whoever is paged: an outage that costs the reward within hours cannot wait. */
export const outageCost = comparingTopic(
  {
    id: "outage-cost",
    about: "How long can each node stay away, or go on crashing, before its validator loses its reward?",
    across: true,
    needs,
    start: (): State => ({ stakes: new Map(), seen: new Set(), at: 0 }),
    compare: (before: State, { members }: ComparedData<typeof needs>, { time }: Context): State => ({
      stakes: ownStakes(before.stakes, members, time),
      seen: seenAfter(before.seen, members),
      at: time,
    }),
    saved: {
      save: ({ stakes, seen }: State) => ({
        stakes: Object.fromEntries([...stakes].map(([network, each]) => [network, saveStakes(each)])),
        seen: [...seen].sort(),
      }),
      restore(data: unknown): State {
        const { stakes, seen } = saved.parse(data);
        const restored = Object.entries(stakes).map(([network, each]) => [network, restoreStakes(each)] as const);
        return { stakes: new Map(restored), seen: new Set(seen), at: 0 };
      },
    },
    formulas: [
      {
        metric: "avax_node_crash_loop_tolerance_seconds",
        formula:
          "downtime left / share of the last 30 minutes in which the node did not answer; +Inf from the end of the stake on",
        example: "12,960 s left of a node that went down three times, for two minutes each: 12,960 / (360 / 1,800).",
        result: 64_800,
      },
    ],
  },
  {
    outageTolerance: ofNode.gauge(
      "avax_node_outage_tolerance_seconds",
      `How long a node that for two minutes has not answered, and that no polled node is connected to, can stay away before its validator's reward is lost; +Inf while one does, while more than half of the downtime budget is left, and once the reward is lost; absent while the budget is unknown ${SOURCE}; the exporter's own record).`,
      ({ stakes, isUnseen }) => (stakes.length === 0 ? undefined : isUnseen ? outageTolerance(stakes) : Infinity),
    ),
    loopTolerance: ofNode.gauge(
      "avax_node_crash_loop_tolerance_seconds",
      `How long a node that went down three times or more in a crash loop can go on at the pace of the last 30 minutes before its validator's reward is lost; +Inf while it does not loop, and where the stake ends before; absent while the budget is unknown ${SOURCE}; the exporter's own record).`,
      ({ stakes, reach, at }) =>
        stakes.length === 0 || reach === undefined ? undefined : loopTolerance(stakes, reach, at),
    ),
  },
);

function ownStakes(before: Stakes, members: Members, now: number): Stakes {
  const networks = Map.groupBy(members, ({ facts }) => facts.network ?? "");
  return new Map(
    [...networks].map(([network, nodes]) => {
      const ids = nodes.flatMap(({ facts }) => facts.nodeId ?? []);
      return [network, stakesAfter(before.get(network) ?? [], nodes, ids, now)];
    }),
  );
}

function seenAfter(before: ReadonlySet<string>, members: Members): ReadonlySet<string> {
  const down = members.filter(isDown);
  if (down.length === 0) return before.size === 0 ? before : new Set();
  const reachable = reachableStake(members);
  const seen = down.filter((member) => isSeen(member, members, reachable, before.has(member.facts.node)));
  return new Set(seen.map(({ facts }) => facts.node));
}
