import { becomes, five } from "./networks.ts";
import type { Story } from "./story.ts";

/** A validator ends, or its balance does. */
export const STORIES_OF_STAKES: readonly Story[] = [
  {
    name: "l1-dry",
    about: "The balance of an L1 validator lasts 25 more minutes, then it is inactive.",
    network: () => five(),
    l1: true,
    timeline: becomes(5, 2, "l1-running-dry"),
    fault: 5,
    ends: 55,
    pages: [{ alerts: ["AvaxL1RunwayCritical"], after: [4, 8.5] }],
    tickets: [],
  },
  {
    name: "planned-end",
    about: "The stake of a validator ends as planned, 20 minutes after it was announced.",
    network: () => five(),
    timeline: becomes(2, 2, "stake-ends-soon"),
    fault: 22,
    ends: 55,
    pages: [],
    tickets: ["AvaxValidatorEndingSoon", "AvaxValidatorNotInSet"],
  },
  {
    name: "early-end",
    about: "A validator vanishes from the set, months before the end of its stake.",
    network: () => five(),
    timeline: becomes(5, 2, "validator-gone"),
    fault: 5,
    ends: 55,
    pages: [{ alerts: ["AvaxValidatorGone"], after: [2, 5] }],
    tickets: [],
  },
  {
    name: "watched",
    about: "A validator that is watched and not polled is killed, and returns after 25 minutes.",
    network: () => five(4),
    watched: 4,
    timeline: [...becomes(5, 4, "offline-validator"), ...becomes(30, 4, "healthy")],
    fault: 5,
    recovery: 30,
    ends: 50,
    pages: [{ alerts: ["AvaxValidatorDisconnected"], after: [10, 14], resolvedAfter: [6, 12] }],
    tickets: [],
  },
];
