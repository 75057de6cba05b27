import type { Answer, TargetFacts } from "../../api/endpoint.ts";
import { bounded } from "../../api/bounded.ts";
import { isFailing, type HealthReport } from "../../api/node/health.ts";
import { checkLabel, comparedIds } from "../chain-ids.ts";

/** What a node itself reports of its failing checks: the cause, which no series can carry. For whoever reads a problem. */

const LONGEST = 300;

/** The `error` of each failing check, by the check's label; on one line, of at most 300 characters. */
export function checkWords(
  { checks }: HealthReport,
  facts: TargetFacts,
  answers: ReadonlyMap<string, Answer<{ readonly blockchainID: string | undefined }>> | undefined,
): ReadonlyMap<string, string> {
  const ids = comparedIds(answers);
  const failing = Object.entries(checks).filter(([, check]) => isFailing(check));
  return new Map(
    failing.map(([name, { error }]) => {
      const text = typeof error === "string" ? error : JSON.stringify(error);
      return [checkLabel(facts, ids, name), bounded(text, LONGEST)];
    }),
  );
}

/** What to do about an error, by a part of its text. The first one counts: that of a chain that cannot be created ends with its cause. */
const REMEDIES: ReadonlyArray<readonly [part: string, remedy: string]> = [
  [
    "height index",
    "Stop the node, and restore its database from a backup or resync from scratch: an unclean stop left the two records of the chain's height apart, and a restart does not mend them.",
  ],
  [
    "handshake failed",
    "Install the VM's plugin for this release in the node's plugin directory, executable and with the VM ID as its name, and restart the node: the plugin did not start, or has another protocol version.",
  ],
  [
    "failed to create chain",
    "Mend what the error names after it (plugin, configuration, genesis or database of the chain), and restart the node: it does not try again by itself.",
  ],
  [
    "acceptance time too high",
    "Send a few transactions where the chain is quiet: the check passes with the next blocks that are accepted in time, and no restart is needed. On a busy chain check CPU and disk of the validators.",
  ],
  [
    "available disk space",
    "Enlarge the disk, or delete old snapshots and logs: the node stops itself when its disk is nearly full.",
  ],
  [
    "subnets not bootstrapped",
    "Wait while a chain bootstraps. The check's `message` in `/ext/health` lists the subnets: watch their chains by listing them in the configuration, and read the node's log where one takes hours.",
  ],
  [
    "not connected to a minimum of",
    "Open TCP port 9651 in both directions, and check the machine's network. The only validator of a network has no peers: start it with --network-health-min-conn-peers=0.",
  ],
  [
    "no inbound connections",
    "Open TCP port 9651 (--staking-port) to the internet, in firewall and router, and correct --public-ip: no validator reaches the node.",
  ],
];

/** The remedy for a known error; `undefined` for another one. */
export function remedyOf(words: string): string | undefined {
  return REMEDIES.find(([part]) => words.includes(part))?.[1];
}
