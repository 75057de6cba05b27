import { awhile, becomes, five } from "./networks.ts";
import type { Draft } from "./story.ts";

const DAY = 86_400;

/** A validator ends, or its balance does. */
export const STORIES_OF_STAKES: readonly Draft[] = [
  {
    name: "l1-dry",
    about: "The balance of an L1 validator lasts 25 more minutes, then it is inactive.",
    l1: true,
    timeline: becomes(5, 2, "l1-running-dry"),
    fault: 5,
    ends: 55,
    pages: [{ alerts: ["AvaxL1RunwayCritical"], after: [4, 8.5] }],
  },
  {
    name: "planned-end",
    about: "The stake of a validator ends as planned, 20 minutes after it was announced.",
    timeline: becomes(2, 2, "stake-ends-soon"),
    fault: 22,
    ends: 55,
    tickets: ["AvaxValidatorEndingSoon", "AvaxValidatorNotInSet"],
  },
  {
    name: "short-period",
    about: "Stakes of 48 hours in good order; a node is restarted and is away for four minutes.",
    network: (start) => five(3, { heliconTime: start - 100 * DAY, stakeSeconds: 2 * DAY }),
    timeline: [...becomes(5, 2, "offline-validator"), ...becomes(9, 2, "bootstrapping"), ...becomes(12, 2, "healthy")],
    fault: 5,
    ends: 55,
    records: [],
  },
  {
    name: "renewed",
    about: "The cycle of an auto-renewed validator ends in 20 minutes, with a high uptime.",
    network: (start) => five(3, { heliconTime: start - 100 * DAY }),
    timeline: becomes(5, 2, "cycle-ends-soon"),
    fault: 5,
    ends: 45,
  },
  {
    name: "not-renewed",
    about: "The cycle of an auto-renewed validator ends in 20 minutes, with an uptime below its requirement.",
    network: (start) => five(3, { heliconTime: start - 100 * DAY }),
    timeline: becomes(5, 2, ["low-uptime", "cycle-ends-soon"]),
    fault: 5,
    recovery: 25,
    ends: 50,
    pages: [{ alerts: ["AvaxValidatorRenewalLost"], after: [5, 9], resolvedAfter: [-1, 10] }],
    tickets: ["AvaxValidatorNotInSet"],
  },
  {
    name: "early-end",
    about: "A validator vanishes from the set, months before the end of its stake.",
    timeline: becomes(5, 2, "validator-gone"),
    fault: 5,
    ends: 55,
    pages: [{ alerts: ["AvaxValidatorGone"], after: [2, 5] }],
  },
  {
    name: "watched",
    about: "A validator that is watched and not polled is killed, and returns after 25 minutes.",
    network: () => five(4),
    watched: 4,
    ...awhile(4, "offline-validator", { ends: 50 }),
    pages: [{ alerts: ["AvaxValidatorDisconnected"], after: [10, 14], resolvedAfter: [0, 6] }],
  },
];
