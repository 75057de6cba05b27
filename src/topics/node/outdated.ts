import { NodeVersion, Peers } from "../../api/node/info.ts";
import { PRIMARY, Validators } from "../../api/node/platform.ts";
import type { Peer } from "../../api/peer.ts";
import { gauge } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { perAnswer } from "../per-answer.ts";
import { share, stakesOf, type Stakes } from "../stakes.ts";
import { atNode, LEFT_BEHIND, NODE_AWAY } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";

/** With more stake than this on a newer release, a node is outdated. */
export const OUTDATED_RATIO = 0.5;

const newerStake = threshold("outdated", "share", "when more than this share of the stake runs a newer release", {
  standard: OUTDATED_RATIO,
  least: 0.01,
  most: 0.99,
});

export const outdated = topic(
  {
    id: "outdated",
    about: "How much stake runs a newer release than this node?",
    scope: "node",
    needs: { version: NodeVersion, peers: Peers, sets: Validators },
    formulas: [
      {
        metric: "avax_node_newer_version_stake_ratio",
        formula: "stake of the peers whose release is newer than the node's / all stake",
        example:
          "The node runs 1.14.2. Of 10,000,000 staked, peers with 4,000,000 run 1.14.3 and peers with 3,000,000 run 1.14.2; the rest is not connected.",
        result: 0.4,
      },
    ],
  },
  {
    newer: gauge(
      "avax_node_newer_version_stake_ratio",
      "Share of all stake whose validators advertise to this node a newer release than its own; a lower bound because stake that is not connected counts as not newer (info.getNodeVersion, `version`; info.peers, `version`; platform.getCurrentValidators, `weight`).",
      ({ version, peers, sets }) => {
        const primary = sets.get(PRIMARY);
        return primary === undefined ? undefined : newerShare(peers.peers, version.version, stakesOf(primary));
      },
    ),
  },
  ({ newer }) => ({
    AvaxNodeOutdated: {
      severity: "warning",
      when: { of: newer, above: newerStake },
      for: "30m",
      explainedBy: [
        ...NODE_AWAY,
        LEFT_BEHIND,
        atNode("AvaxNodeUpgradeNotReady", "The newer release has the upgrade that the node lacks."),
        atNode("AvaxNodeUpgradeDue", "The newer release has the upgrade that the node lacks."),
      ],
      summary: '{{ $labels.node }} is outdated: {{ $value | printf "%.1f" }} % of stake runs a newer release',
      over: "runs a current release",
      meaning:
        "Most of the network has upgraded and this node has not. There is no loss yet, but a network upgrade leaves old releases behind, and they lack fixes.",
      confirm: "`avax_node_info` has the node's version, `avax_validators_stake_by_version_avax` the stake by version.",
      commands: {
        "call <node> info.getNodeVersion": "`version` is the release that the node runs.",
        "call <node> info.peers": "`version` is the release that each peer runs: most are newer.",
      },
      action:
        "Read the release notes and upgrade, one node at a time. Check `avax_validator_downtime_budget_remaining_seconds` first.",
      falsePositives: "The newer release is optional for you, or the node stays on its release on purpose.",
    },
  }),
);

/** The peers that run a newer release than `version`; `undefined` where that is in another format. */
const newerPeers = perAnswer((peers: readonly Peer[], version: string): readonly string[] | undefined => {
  const own = releaseOf(version);
  if (own === undefined) return undefined;
  // The peers are many, and their versions few.
  const known = new Map<string, boolean>();
  const newer: string[] = [];
  for (const { nodeID, version: theirs } of peers) {
    const counts = known.get(theirs) ?? isNewer(releaseOf(theirs), own);
    known.set(theirs, counts);
    if (counts) newer.push(nodeID);
  }
  return newer;
});

/** The share of all stake whose peers run a newer release than `version`. */
function newerShare(peers: readonly Peer[], version: string, { byNode, total }: Stakes): number | undefined {
  const newer = newerPeers(peers, version);
  return (
    newer &&
    share(
      newer.reduce((sum, nodeId) => sum + (byNode.get(nodeId) ?? 0n), 0n),
      total,
    )
  );
}

const BY_NUMBERS = new Intl.Collator("en", { numeric: true });

type Release = { readonly client: string; readonly release: string };

/** Client and release of a version like `avalanchego/1.14.2`; `undefined` for another format, which is neither newer nor older. */
export function releaseOf(version: string): Release | undefined {
  const [, client, release] = /^([a-z-]+)\/v?(\d{1,6}\.\d{1,6}\.\d{1,6})(?![\d.])/i.exec(version) ?? [];
  return client === undefined || release === undefined ? undefined : { client: client.toLowerCase(), release };
}

/** Whether a release of the same client is newer. */
export function isNewer(theirs: Release | undefined, own: Release): boolean {
  if (theirs?.client !== own.client) return false;
  return BY_NUMBERS.compare(theirs.release, own.release) > 0;
}
