import { awhile, five, ofTwo, OLD_RELEASE, restart } from "./networks.ts";
import type { Draft } from "./story.ts";

/** What can go wrong on a network since Helicon, and what must not be sent on the way there. */
export const STORIES_OF_HELICON: readonly Draft[] = [
  {
    name: "executor-stalled",
    about: "The executor of a validator stands: it accepts three more blocks, and no check of it fails.",
    native: true,
    ...awhile(2, "executor-stalled"),
    pages: [{ alerts: ["AvaxChainExecutionStalled"], after: [6, 12], resolvedAfter: [0, 5] }],
  },
  {
    name: "executor-slow",
    about: "The executor of a validator takes 5 s for a block, and its chain makes one each 2 s.",
    native: true,
    ...awhile(2, "executor-slow", { from: 5, to: 19, ends: 40 }),
    tickets: ["AvaxChainExecutionBacklog"],
  },
  {
    name: "helicon",
    about: "Helicon is activated, and all five validators have it: nothing is sent.",
    network: (start) => five(5, { heliconTime: start + 12 * 60 }),
    native: true,
    l1: true,
    fault: 12,
    ends: 40,
    records: [],
  },
  {
    name: "unannounced",
    about: "The same, with a release that does not announce it.",
    network: (start) => five(5, { heliconTime: start + 12 * 60, version: OLD_RELEASE }),
    native: true,
    l1: true,
    fault: 12,
    ends: 40,
    records: [],
  },
  {
    name: "left-behind-unannounced",
    about:
      "The same, and one validator lacks it until it is installed 18 minutes later. Its own metrics are scraped too.",
    native: true,
    network: (start) =>
      five(3, { heliconTime: start + 12 * 60, version: OLD_RELEASE, scenario: ofTwo(["upgrade-missed"]) }),
    timeline: restart(30, 2, { version: OLD_RELEASE }),
    fault: 12,
    recovery: 37,
    ends: 55,
    pages: [
      // By its schedule, which differs from those of the polled nodes.
      { alerts: ["AvaxNodeUpgradeNotReady"], after: [-30, -2], resolvedAfter: [-5, 8] },
      // It lasts longer than AvaxNodeBlocksUnreadable, which else pages when all is well; the page above waits for it.
      { alerts: ["AvaxNodeLeftBehind"], after: [2, 8], resolvedAfter: [0, 8] },
    ],
  },
  {
    name: "left-behind-alone",
    about: "The same, seen by the validator alone: no other node is polled, and its own metrics are scraped.",
    network: (start) =>
      five(1, { heliconTime: start + 12 * 60, version: OLD_RELEASE, scenario: [{ node: 1, name: "upgrade-missed" }] }),
    native: true,
    timeline: restart(30, 1, { version: OLD_RELEASE }),
    fault: 12,
    recovery: 37,
    ends: 55,
    pages: [{ alerts: ["AvaxNodeBlocksUnreadable"], after: [2, 8], resolvedAfter: [-7, 6] }],
  },
  {
    name: "plugin-hung",
    about: "The VM of an L1 hangs on one of its validators, and with it the checks and the metrics of the whole node.",
    native: true,
    ...awhile(2, "plugin-hung", { from: 5, to: 32, ends: 45 }),
    tickets: ["AvaxHealthFrozen"],
  },
];
