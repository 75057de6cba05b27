import { awhile, becomes, five, ofTwo, restart } from "./networks.ts";
import type { Draft } from "./story.ts";

const SMALL_BUDGET = ["edge-uptime", "stake-ending"] as const;

/** A node does not answer, or not everything. */
export const STORIES_OF_NODES: readonly Draft[] = [
  {
    name: "killed",
    about: "A validator is killed, and returns after 25 minutes.",
    ...awhile(2, "offline-validator"),
    pages: [{ alerts: ["AvaxNodeDown"], after: [10, 13], resolvedAfter: [0, 4] }],
  },
  {
    name: "forgotten",
    about: "The same, with an exporter that learns the network of its nodes.",
    learned: true,
    network: () => five(3, { network: { id: 7001, name: "forgotten" } }),
    ...awhile(2, "offline-validator"),
    pages: [{ alerts: ["AvaxNodeDown"], after: [10, 13], resolvedAfter: [0, 4] }],
  },
  {
    name: "pending",
    about:
      "A validator is killed five minutes before an exporter that learns its network restarts: the page is not late.",
    learned: true,
    network: () => five(3, { network: { id: 7002, name: "pending" } }),
    ...awhile(2, "offline-validator", { from: 15, ends: 52 }),
    pages: [{ alerts: ["AvaxNodeDown"], after: [10, 13], resolvedAfter: [0, 4] }],
  },
  {
    name: "small-budget",
    about: "A validator is killed whose downtime budget is hours: the page comes sooner.",
    network: () => five(3, { scenario: ofTwo(SMALL_BUDGET) }),
    timeline: [...becomes(5, 2, [...SMALL_BUDGET, "offline-validator"]), ...becomes(30, 2, SMALL_BUDGET)],
    fault: 5,
    recovery: 30,
    ends: 45,
    pages: [
      // The stake has begun with a small budget: it is small before the fault.
      { alerts: ["AvaxDowntimeBudgetLow"], after: [-20, 5] },
      { alerts: ["AvaxNodeDownBudgetLow"], after: [2, 5], resolvedAfter: [0, 4] },
    ],
    tickets: ["AvaxValidatorEndingSoon"],
  },
  {
    name: "crash-loop",
    about:
      "A validator is down half of the time, for a minute at once: its budget of 7 h is used up within its last 20 h.",
    // A stake of 12 days.
    network: () => five(3, { seed: 4, scenario: ofTwo(SMALL_BUDGET) }),
    timeline: Array.from({ length: 18 }, (_, outage) => 5 + 2.4 * outage).flatMap((minute) => [
      ...becomes(minute, 2, [...SMALL_BUDGET, "offline-validator"]),
      ...becomes(minute + 1.2, 2, SMALL_BUDGET),
    ]),
    fault: 5,
    ends: 48,
    pages: [
      { alerts: ["AvaxDowntimeBudgetLow"], after: [-20, 5] },
      { alerts: ["AvaxNodeCrashLoopBudgetLow"], after: [10, 32] },
    ],
    tickets: ["AvaxNodeCrashLoop", "AvaxValidatorEndingSoon"],
  },
  {
    name: "dead-at-start",
    about: "A validator is down before the exporter starts, which does not know its network nor whose validator it is.",
    learned: true,
    network: () => five(3, { network: { id: 7003, name: "dead-at-start" }, scenario: ofTwo(["offline-validator"]) }),
    ends: 10,
    // The processes start within three minutes.
    pages: [{ alerts: ["AvaxNodeDown"], after: [10, 16] }],
  },
  {
    name: "flapping",
    about: "A validator is down for 40 s every four minutes: a ticket within twenty.",
    timeline: Array.from({ length: 9 }, (_, outage) => 5 + 4 * outage).flatMap((minute) => [
      ...becomes(minute, 2, "offline-validator"),
      ...becomes(minute + 0.67, 2, "healthy"),
    ]),
    fault: 5,
    ends: 45,
    tickets: ["AvaxNodeCrashLoop"],
  },
  {
    name: "hung",
    about: "The API of a validator accepts requests and answers none; its peers stay connected to it: a ticket.",
    ...awhile(2, "hanging"),
    tickets: ["AvaxValidatorApiDown"],
  },
  {
    name: "restarted",
    about: "A validator is restarted: two minutes down, five minutes bootstrapping.",
    timeline: restart(18, 2),
    fault: 18,
    recovery: 25,
    ends: 45,
    records: [],
  },
  {
    name: "re-bootstrapped",
    about: "A validator lost its database: two minutes down, 38 minutes bootstrapping.",
    timeline: restart(5, 2, { bootstrapping: 38 }),
    fault: 5,
    recovery: 45,
    ends: 55,
  },
  {
    name: "stuck",
    about: "A node that does not validate is restarted behind a closed firewall: without peers it never bootstraps.",
    network: () => five(6),
    timeline: [...becomes(22, 6, "offline-validator"), ...becomes(24, 6, ["bootstrapping", "no-peers"])],
    fault: 24,
    ends: 50,
    tickets: ["AvaxNodeFewPeers", "AvaxNodeUnhealthy"],
  },
  {
    name: "two-down",
    about: "Two of five validators are killed: 60 % of the stake are no quorum, and all chains stop.",
    network: () => five(5),
    l1: true,
    timeline: [
      ...becomes(5, 2, "offline-validator"),
      ...becomes(5, 3, "offline-validator"),
      ...becomes(30, 2, "healthy"),
      ...becomes(30, 3, "healthy"),
    ],
    fault: 5,
    recovery: 30,
    ends: 45,
    pages: [
      // That of the Primary Network and that of the L1.
      { alerts: ["AvaxSubnetQuorumLost", "AvaxSubnetQuorumLost"], after: [5, 11], resolvedAfter: [1, 7] },
    ],
  },
  {
    name: "disk-full",
    about: "The disk of a validator fills up: 10 % free after 30 minutes; below 3 % (51.5 minutes) the process ends.",
    network: () => five(3, { scenario: ofTwo(["disk-filling"]) }),
    ends: 55,
    pages: [{ alerts: ["AvaxNodeDiskFull"], after: [43, 54] }],
    tickets: ["AvaxNodeDiskLow"],
  },
  {
    name: "replaced",
    about: "Another node answers at the address of a validator.",
    ...awhile(2, "wrong-node-id"),
    // It lasts longer than a missed upgrade, which it explains.
    pages: [{ alerts: ["AvaxNodeReplaced"], after: [0, 4], resolvedAfter: [6, 11] }],
  },
  {
    name: "wrong-key",
    about: "A validator is started again without its signer key: its peers drop it, and it does not bootstrap.",
    timeline: [
      ...becomes(5, 2, "offline-validator"),
      ...becomes(7, 2, "wrong-bls-key"),
      ...becomes(28, 2, "offline-validator"),
      ...becomes(30, 2, "healthy"),
    ],
    fault: 7,
    recovery: 30,
    ends: 50,
    pages: [{ alerts: ["AvaxNodeBlsKeyWrong"], after: [2, 6], resolvedAfter: [0, 8] }],
  },
  {
    name: "two-machines",
    about: "A migration left the old machine running, all the time: node 6 has the keys of validator 5.",
    network: () => five(6, { scenario: [{ node: 6, name: "twin" }] }),
    ends: 40,
    pages: [{ alerts: ["AvaxNodeIdDuplicated", "AvaxNodeIdDuplicated"], after: [2, 9] }],
  },
  {
    name: "shared-id",
    about: "The same, but node 6 is not polled: the address at which peers see the validator changes to and fro.",
    network: () => five(6, { scenario: [{ node: 6, name: "twin" }] }),
    hidden: 6,
    ends: 40,
    tickets: ["AvaxValidatorAddressChanging"],
  },
  {
    name: "plugin-missing",
    about: "The plugin of the L1 does not start on one validator, all the time.",
    network: () => five(3, { scenario: ofTwo(["plugin-failed"]) }),
    l1: true,
    fault: 0,
    ends: 50,
    // The other one is about the chain of a subnet that is not configured.
    tickets: ["AvaxChainNotRun", "AvaxSubnetCheckFailing"],
  },
];
