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
    ends: 60,
    pages: [{ alerts: ["AvaxL1RunwayCritical"], after: [4, 8.5] }],
    tickets: [],
  },
  {
    name: "planned-end",
    about: "The stake of a validator ends as planned, 20 minutes after it was announced.",
    network: () => five(),
    timeline: becomes(5, 2, "stake-ends-soon"),
    fault: 25,
    ends: 60,
    pages: [],
    tickets: ["AvaxValidatorEndingSoon", "AvaxValidatorNotInSet"],
  },
  {
    name: "early-end",
    about: "A validator vanishes from the set, months before the end of its stake.",
    network: () => five(),
    timeline: becomes(5, 2, "validator-gone"),
    fault: 5,
    ends: 60,
    pages: [{ alerts: ["AvaxValidatorGone"], after: [2, 5] }],
    tickets: [],
  },
];
