import type { Answer } from "../../../src/api/endpoint.ts";
import { PRIMARY, type Validator } from "../../../src/api/node/platform.ts";
import type { Peer } from "../../../src/api/peer.ts";
import type { Context } from "../../../src/topics/define/metric.ts";

/** The examples of the formulas in the reference as input of their metrics. Fields that an example does not mention have values without effect. */

/** Input of a metric in an example, and the series that the example is about. */
export type Example = {
  readonly data: object;
  /** Earlier inputs of a topic that counts or compares, oldest first. */
  readonly before?: readonly object[];
  /** The node and the times of the answers. */
  readonly context?: Partial<Context>;
  /** The metric's own labels; default: none. */
  readonly labels?: Readonly<Record<string, string>>;
};

type ExamplePeers = { numPeers: number; peers: Peer[] };
type ExampleSets = ReadonlyMap<string, { validators: Validator[] }>;

/** The peers of a node. @param fields fields of each peer, by node ID */
function peersOf(fields: Readonly<Record<string, Partial<Peer>>>): ExamplePeers {
  const peers = Object.entries(fields).map(([nodeID, more]): Peer => ({
    nodeID,
    version: "",
    publicIP: undefined,
    observedUptime: undefined,
    trackedSubnets: [],
    benched: [],
    upgradeTime: undefined,
    ...more,
  }));
  return { numPeers: peers.length, peers };
}

/** The validator set of the Primary Network. @param stakes nAVAX by node ID */
function setOf(stakes: Readonly<Record<string, bigint>>, more: Partial<Validator> = {}): ExampleSets {
  const validators = Object.entries(stakes).map(([nodeID, weight]) => ({ nodeID, weight, startTime: 0, ...more }));
  return new Map([[PRIMARY, { validators }]]);
}

/** The validator set of an L1 with the ID `S`. @param members node ID, weight and balance in AVAX */
function l1Of(...members: ReadonlyArray<readonly [nodeID: string, weight: bigint, balance: number]>): ExampleSets {
  const validators = members.map(([nodeID, weight, balance]) => ({
    nodeID,
    weight,
    startTime: 0,
    validationID: `validation-${nodeID}`,
    balance,
  }));
  return new Map([["S", { validators }]]);
}

/** An answer as input of a comparison of nodes. Times are Unix seconds. */
function answerOf<A>(value: A, askedAt = 0, answeredAt = askedAt): Answer<A> {
  return { value, askedAt, answeredAt };
}

/** The answers of a keyed endpoint as input of a comparison of nodes. */
function answersOf<A>(values: ReadonlyMap<string, A>): ReadonlyMap<string, Answer<A>> {
  return new Map([...values].map(([key, value]) => [key, answerOf(value)]));
}

/** A node that answered with its P-Chain height. */
const atHeight = (node: string, height: number, askedAt: number, answeredAt = askedAt) => ({
  facts: { node, nodeId: node },
  answers: { height: answerOf({ height }, askedAt, answeredAt) },
});

/** Two nodes that answer with these P-Chain heights. */
const round = (a: readonly [height: number, askedAt: number], b: readonly [height: number, askedAt: number]) => ({
  members: [atHeight("a", ...a), atHeight("b", ...b)],
});

/** Polls of a chain that pauses for these times. */
export function pausing(pauses: readonly number[], start = 0): readonly object[] {
  let madeAt = 2_900 * 604_800 + start;
  const seen = (seenAt: number) => ({
    members: [
      {
        facts: { node: "a", knownChains: [] },
        answers: { heads: new Map([["C", answerOf({ head: { time: madeAt } }, seenAt)]]) },
      },
    ],
  });
  return pauses
    .flatMap((pause) => {
      const polls = [seen(madeAt), seen(madeAt + pause)];
      madeAt += pause;
      return polls;
    })
    .concat(seen(madeAt));
}
const PAUSING = pausing([40, 55, 86_400, ...Array.from({ length: 30 }, () => 12)]);

const DELEGATED = [
  { weight: 500_000_000_000n, endTime: 22 * 86_400 },
  { weight: 75_000_000_000n, endTime: 40 * 86_400 },
];

const BELOW_REQUIREMENT = {
  data: {
    own: { validators: [{ nodeID: "own", startTime: 0, delegators: DELEGATED }] },
    peers: peersOf({ a: { observedUptime: 0.75 } }),
    sets: setOf({ own: 2_625n, a: 2_000_000n }),
    upgrades: new Map(),
  },
  context: { nodeId: "own", times: { peers: 20 * 86_400 } },
};

const TRACKS_S = { trackedSubnets: ["S"] };

/** Peers: node ID, stake and the uptime that each observed. */
const OBSERVING = [
  ["a", 2_000_000n, 0.71],
  ["b", 2_000_000n, 0.72],
  ["c", 2_000_000n, 0.73],
  ["d", 2_000_000n, 0.74],
  ["e", 2_000_000n, 0.76],
  ["f", 3_500n, 0.99],
] as const;

/** Upgrade time, and how Go encodes "no time". Unix seconds. */
const UPGRADE = 1_795_258_827;
const NO_DATE = 253_399_622_400;

/** One polled node whose peers, validators of 2,000,000 each, announce these times. */
function announcing(announcedBy: Readonly<Record<string, number>>): object {
  const ids = Object.keys(announcedBy);
  const peers = peersOf(Object.fromEntries(ids.map((id) => [id, { upgradeTime: announcedBy[id] }])));
  const answers = {
    upgrades: answerOf(new Map([["apricotPhase4", 1_607_144_400]])),
    peers: answerOf(peers),
    sets: answersOf(setOf(Object.fromEntries(ids.map((id) => [id, 2_000_000n])))),
  };
  return { members: [{ facts: { node: "polled", nodeId: "polled" }, answers }] };
}

/** Answered 10 days (864,000 s) after the start. A period that began at Helicon or later requires 0.9. */
const TENTH_DAY: Example = {
  data: {
    answers: setOf({ a: 2_000_000n }, { startTime: 1_785_250_800, endTime: 1_786_460_400, uptime: 0.875 }),
    upgrades: new Map([["helicon", 1_785_250_800]]),
    sets: undefined,
    peers: undefined,
  },
  context: { nodeId: "own", watch: ["a"], times: { answers: 1_786_114_800 } },
  labels: { subnet: PRIMARY, node_id: "a" },
};

/** The same as all nodes together see it; `a` went down three times in the last half hour. */
const TENTH_DAY_TIME = 1_786_114_800;
const [WENT_DOWN, FOR] = [[1_500, 900, 300], 120];
const COMPARED_TENTH_DAY: Example = {
  data: {
    members: [
      {
        facts: { node: "other", nodeId: "other", watch: ["a"] },
        answers: {
          watched: new Map([
            [
              PRIMARY,
              answerOf(
                setOf({ a: 2_000_000n }, { startTime: 1_785_250_800, endTime: 1_786_460_400, uptime: 0.875 }).get(
                  PRIMARY,
                ),
                TENTH_DAY_TIME,
              ),
            ],
          ]),
          upgrades: answerOf(new Map([["helicon", 1_785_250_800]]), TENTH_DAY_TIME),
          reach: answerOf({ up: true, outages: [], total: 0 }, TENTH_DAY_TIME),
        },
      },
      {
        facts: { node: "a", nodeId: "a" },
        answers: {
          reach: answerOf(
            {
              up: true,
              outages: WENT_DOWN.map((ago) => ({ from: TENTH_DAY_TIME - ago, to: TENTH_DAY_TIME - ago + FOR })),
              total: 3,
            },
            TENTH_DAY_TIME,
          ),
        },
      },
    ],
  },
  context: { watchNetwork: ["a"], time: TENTH_DAY_TIME },
  labels: { subnet: PRIMARY, node_id: "a" },
};

/** By the name of the metric. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  avax_subnet_connected_weight_ratio: {
    data: {
      members: [
        {
          facts: { node: "own", nodeId: "own" },
          answers: {
            sets: answersOf(l1Of(["own", 100n, 1], ["other", 200n, 1], ["empty", 10n, 0], ["drained", 50n, 0])),
            peers: answerOf(peersOf({ other: TRACKS_S, empty: TRACKS_S, drained: TRACKS_S })),
          },
        },
      ],
    },
    context: { networkSubnets: ["S"], reference: "own" },
    labels: { subnet: "S" },
  },
  // The reference node with an L1 of five validators: the last is away.
  avax_subnet_quorum_spare_validators: {
    data: {
      members: [
        {
          facts: { node: "a", nodeId: "a" },
          answers: {
            sets: answersOf(l1Of(["a", 10n, 1], ["b", 5n, 1], ["c", 5n, 1], ["d", 70n, 1], ["away", 10n, 1])),
            peers: answerOf(peersOf({ b: TRACKS_S, c: TRACKS_S, d: TRACKS_S })),
          },
        },
      ],
    },
    context: { networkSubnets: ["S"], reference: "a" },
    labels: { subnet: "S" },
  },
  avax_l1_validator_runway_seconds: {
    data: { sets: l1Of(["a", 100n, 0.000001043]), fee: { price: 1e-9, timestamp: 1_795_258_735 } },
    context: { times: { sets: 1_795_259_208, fee: 1_795_259_208 } },
    labels: { subnet: "S", node_id: "a", validation_id: "validation-a" },
  },
  avax_node_benched_stake_ratio: {
    data: {
      members: ["a", "b", "c", "d"].map((node) => ({
        facts: { node, nodeId: node },
        answers: {
          peers: answerOf(peersOf({ a: { benched: node === "b" || node === "c" ? ["C"] : [] } })),
          sets: answersOf(setOf({ a: 4_000_000n, b: 2_000_000n, c: 2_000_000n, d: 2_000_000n })),
        },
      })),
    },
    labels: { node: "a", chain: "C" },
  },
  avax_node_clock_skew_seconds: {
    data: { live: { healthy: true, checks: {}, date: 106 } },
    context: { asked: { live: 100.4 }, times: { live: 100.6 } },
  },
  avax_node_newer_version_stake_ratio: {
    data: {
      version: { version: "avalanchego/1.14.2", vmVersions: {} },
      peers: peersOf({ newer: { version: "avalanchego/1.14.3" }, same: { version: "avalanchego/1.14.2" } }),
      sets: setOf({ newer: 4_000_000n, same: 3_000_000n, away: 3_000_000n }),
    },
  },
  avax_network_upgrade_ready_stake_ratio: {
    data: announcing({ a: UPGRADE, b: UPGRADE, c: UPGRADE, d: UPGRADE, e: NO_DATE }),
    context: { time: 1_795_258_300, networkLabel: "n" },
  },
  avax_node_upgrade_ready: {
    data: announcing({ a: UPGRADE }),
    context: { time: 1_795_258_300 },
    labels: { node: "polled" },
  },
  avax_node_stake_by_observed_uptime_ratio: {
    data: {
      peers: peersOf(Object.fromEntries(OBSERVING.map(([id, , observedUptime]) => [id, { observedUptime }]))),
      sets: setOf({ own: 2_625n, ...Object.fromEntries(OBSERVING.map(([id, stake]) => [id, stake])) }),
      upgrades: undefined,
      own: undefined,
    },
    context: { nodeId: "own" },
    labels: { threshold: "0.8" },
  },
  avax_node_downtime_budget_used: {
    data: {
      peers: peersOf({ a: { observedUptime: 0.73 } }),
      sets: setOf({ own: 2_625n, a: 2_000_000n }, { endTime: 172_799 }),
      upgrades: new Map(),
      own: undefined,
    },
    context: { nodeId: "own", times: { peers: 1_027 } },
  },
  avax_node_delegations_unrewarded_avax: BELOW_REQUIREMENT,
  avax_node_uptime_recovery_timestamp_seconds: BELOW_REQUIREMENT,
  avax_validator_downtime_budget_seconds: {
    data: {
      sets: setOf({ a: 2_000_000n }, { startTime: 1_785_250_800, endTime: 1_786_460_400 }),
      upgrades: new Map([["helicon", 1_785_250_800]]),
    },
    context: { watchNetwork: ["a"] },
    labels: { subnet: PRIMARY, node_id: "a" },
  },
  avax_validator_downtime_budget_remaining_seconds: TENTH_DAY,
  avax_validator_attainable_uptime_ratio: COMPARED_TENTH_DAY,
  avax_validator_uptime_margin: COMPARED_TENTH_DAY,
  avax_node_crash_loop_tolerance_seconds: { ...COMPARED_TENTH_DAY, labels: { node: "a", node_id: "a" } },
  avax_validator_delegation_capacity_avax: {
    data: { sets: setOf({ a: 2_000_000_000_000n }, { delegatorWeight: 625_000_000_000n }) },
    context: { watchNetwork: ["a"] },
    labels: { subnet: PRIMARY, node_id: "a" },
  },
  avax_validator_uptime_spread_ratio: {
    data: {
      members: [0.9987, 0.9991, 0.4512].map((uptime, index) => ({
        facts: { node: `n${index}`, nodeId: `n${index}` },
        answers: { answers: answersOf(setOf({ a: 2_000_000n }, { uptime })) },
      })),
    },
    context: { networkLabel: "n" },
    labels: { node_id: "a" },
  },
  avax_chain_lag_blocks: {
    before: [{ members: [atHeight("b", 100, 14.9, 15)] }],
    data: { members: [atHeight("a", 75, 20, 20.1), atHeight("b", 103, 20.9, 21)] },
    labels: { node: "a", chain: "P" },
  },
  avax_chain_behind_since_timestamp_seconds: {
    before: [round([70, 6], [70, 5]), round([70, 6], [76, 15])],
    data: round([75, 30], [100, 25]),
    labels: { node: "a", chain: "P" },
  },
  avax_chain_usual_pause_seconds: {
    before: PAUSING.slice(0, -1),
    data: PAUSING.at(-1) ?? {},
    labels: { chain: "C", subnet: "primary" },
  },
};
