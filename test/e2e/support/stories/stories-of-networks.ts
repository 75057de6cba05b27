import { awhile, becomes, five, ofTwo, OLD_RELEASE, restart } from "./networks.ts";
import type { Draft } from "./story.ts";

/** A node parts from its network, or a whole network changes. */
export const STORIES_OF_NETWORKS: readonly Draft[] = [
  {
    name: "cut-off",
    about: "The network path of a validator is gone, its API answers: no peers, and its chains stop.",
    l1: true,
    ...awhile(2, "cut-off"),
    pages: [{ alerts: ["AvaxNodeCutOff"], after: [5, 9.5], resolvedAfter: [1.5, 7.5] }],
  },
  {
    name: "three-cut-off",
    about:
      "Three of sixteen validators lose their network path at once: one page, one resolution, nothing new at recovery.",
    network: () => five(5, { validators: 16 }),
    timeline: [2, 3, 4].flatMap((node) => [...becomes(5, node, "cut-off"), ...becomes(30, node, "healthy")]),
    fault: 5,
    recovery: 30,
    ends: 50,
    pages: [
      { alerts: ["AvaxNodeCutOff", "AvaxNodeCutOff", "AvaxNodeCutOff"], after: [5, 9.5], resolvedAfter: [1.5, 7.5] },
    ],
    // The others run chains of a subnet, with too few of its validators connected.
    tickets: ["AvaxSubnetCheckFailing"],
  },
  {
    name: "cut-off-killed",
    about: "The same, and the validator is killed 17 minutes later: no page resolves before it answers again.",
    timeline: [...becomes(5, 2, "cut-off"), ...becomes(22, 2, "offline-validator"), ...becomes(38, 2, "healthy")],
    fault: 5,
    recovery: 38,
    ends: 55,
    pages: [
      { alerts: ["AvaxNodeCutOff"], after: [5, 9.5], resolvedAfter: [1.5, 7.5] },
      { alerts: ["AvaxNodeDown"], after: [27, 31], resolvedAfter: [0, 4] },
    ],
  },
  {
    name: "left-behind",
    about: "An upgrade is activated that one validator's release does not know, and installed 18 minutes later.",
    network: (start) =>
      five(3, {
        heliconTime: start + 12 * 60,
        overrides: [{ node: 2, version: OLD_RELEASE }],
        scenario: ofTwo(["upgrade-missed"]),
      }),
    timeline: restart(30, 2),
    fault: 12,
    recovery: 37,
    ends: 55,
    pages: [
      // The day before, and at the activation; the first is over once the node follows the upgrade.
      { alerts: ["AvaxNodeUpgradeNotReady"], after: [-30, -2], resolvedAfter: [-5, 8] },
      // It lasts 7.5 minutes longer than its condition, and the page above waits for it.
      { alerts: ["AvaxNodeLeftBehind"], after: [2, 6], resolvedAfter: [0, 8] },
    ],
  },
  {
    name: "upgrade-due",
    about: "An upgrade is due in a day and two minutes; one validator's release does not know it until minute 30.",
    network: (start) =>
      five(3, {
        heliconTime: start + 24 * 3600 + 2 * 60,
        overrides: [{ node: 2, version: OLD_RELEASE }],
        scenario: ofTwo(["upgrade-unknown"]),
      }),
    timeline: restart(30, 2),
    fault: 2,
    recovery: 37,
    ends: 55,
    pages: [{ alerts: ["AvaxNodeUpgradeNotReady"], after: [4, 8.5], resolvedAfter: [-6, 6] }],
  },
  {
    name: "rolling",
    about: "A healthy day: all five validators get a new release, one after the other.",
    network: () => five(5, { version: OLD_RELEASE }),
    l1: true,
    timeline: [1, 2, 3, 4, 5].flatMap((node) => restart(7 * node - 2, node)),
    fault: 5,
    recovery: 40,
    ends: 55,
    records: [],
  },
  {
    name: "lagging",
    about: "The C-Chain of one validator stops, and no check of it fails.",
    ...awhile(2, "chain-stalled", { from: 12, to: 38, ends: 52 }),
    pages: [{ alerts: ["AvaxNodeLagging"], after: [12, 16], resolvedAfter: [0, 5] }],
  },
  {
    name: "fuji",
    about: "The C-Chain of a public network stops everywhere.",
    network: () => five(3, { network: { id: 5, name: "fuji" } }),
    timeline: [
      [5, (network) => network.set("all", "chain-stalled")],
      [30, (network) => network.set("all", "healthy")],
    ],
    fault: 5,
    recovery: 30,
    ends: 45,
    tickets: ["AvaxPublicChainStalled"],
  },
  {
    name: "dead-l1",
    about: "The chain of an L1 stops everywhere, with all validators connected, and stays so.",
    l1: true,
    timeline: [[15, (network) => network.set("all", "l1-dead")]],
    fault: 15,
    ends: 55,
    pages: [{ alerts: ["AvaxEvmChainStalled"], after: [11, 15] }],
  },
  {
    name: "corrupt-keys",
    about:
      "The reference node reports other BLS keys of an L1 than the network has: a ticket names both nodes, no page.",
    l1: true,
    ...awhile(1, "corrupt-l1-keys"),
    tickets: ["AvaxNetworkNodesDisagree"],
  },
  {
    name: "one-witness",
    about:
      "A validator that is not polled is gone while two of three polled nodes bootstrap: one node's word is a ticket.",
    network: () => five(4),
    watched: 4,
    timeline: [
      ...[2, 3].flatMap((node) => [...becomes(5, node, "sets-refused"), ...becomes(35, node, "healthy")]),
      ...becomes(6, 4, "offline-validator"),
      ...becomes(30, 4, "healthy"),
    ],
    fault: 6,
    recovery: 30,
    ends: 50,
    tickets: ["AvaxValidatorUnseenByOne", "AvaxEndpointFailing"],
  },
  {
    name: "l1-offline",
    about:
      "A validator of an L1 that is not polled is started without its track-subnets: no polled node sees it in the L1.",
    network: () => five(4),
    l1: true,
    watched: 4,
    ...awhile(4, "untracked"),
    pages: [{ alerts: ["AvaxL1ValidatorOffline"], after: [10, 15], resolvedAfter: [0, 5] }],
  },
  {
    name: "wrong-l1-key",
    about: "The L1 has registered another BLS key for a validator than its node has, all the time; no check fails.",
    network: () => five(3, { scenario: ofTwo(["wrong-l1-bls-key"]) }),
    l1: true,
    ends: 15,
    pages: [{ alerts: ["AvaxNodeBlsKeyWrong"], after: [2, 12] }],
  },
  {
    name: "queries-lost",
    about: "Half of the consensus queries of a validator fail; only its own metrics show it.",
    native: true,
    ...awhile(2, "queries-lost", { ends: 52 }),
    // The share of one of five validators is taken off, so the failed ones must be 30 % of ten minutes.
    pages: [{ alerts: ["AvaxNodeQueriesLost"], after: [14, 19], resolvedAfter: [4, 11] }],
  },
  {
    name: "fork",
    about: "One of five validators accepts other blocks than the network, at the same heights, and is resynced later.",
    timeline: [...becomes(5, 2, "forked"), ...restart(28, 2, { bootstrapping: 4 })],
    fault: 5,
    recovery: 30,
    ends: 45,
    pages: [{ alerts: ["AvaxChainForked"], after: [1, 6], resolvedAfter: [-2, 6] }],
  },
];
