import { BlockchainId, NodeVersion } from "../../api/node/info.ts";
import { KNOWN_REFUSALS, NEWEST_RELEASE } from "../../api/unknown/known-names.ts";
import { unknownNames, type Look, type Unknown } from "../../api/unknown/unknown-names.ts";
import { fieldAt } from "../../api/wire.ts";
import { comparedIds, subnetOfCheck } from "../../topics/chain-ids.ts";
import { isNewer, releaseOf } from "../../topics/node/outdated.ts";
import { perAnswer } from "../../topics/per-answer.ts";
import { SILENT_INTERVALS, type Poll, type Seen } from "../poll/poll.ts";
import type { Store } from "../poll/store.ts";
import type { NodeTarget } from "./poller-state.ts";

/** What the nodes send that this release does not know, for whoever maintains it: nothing here is a problem of a node. */

/** Seconds between two looks at the answers to a poll: a release changes them, and each look reads every name. */
const LOOK_EVERY = 3600;
/** Names of a poll or node, and of all nodes: a node that makes up names must not fill the memory, or the answer. */
const MOST = 100;
const MOST_TOGETHER = 1000;

/** Of nearly all polls. */
const NONE: Seen["names"] = new Map();

/** A name that is new, with the nodes that send it. */
export type UnknownName = Unknown & { readonly nodes: readonly string[] };

/** Looks at the answers of one request, where the last look at those of its poll was an hour ago. */
export function lookOf({ key, facts }: NodeTarget, poll: Poll, store: Store): Look {
  let seen: Seen | undefined;
  return (method, answer, at) => {
    if (seen === undefined && at - (poll.seen?.at ?? -Infinity) < LOOK_EVERY) return;
    poll.seen = seen ??= { at, names: NONE };
    const ids = comparedIds(store.all(key, BlockchainId, at));
    const isChain = (name: string, check: unknown): boolean =>
      subnetOfCheck(facts, ids, [name, { error: fieldAt(check, "error"), message: fieldAt(check, "message") }]) !== "";
    for (const each of unknownNames(method, answer, isChain))
      if (seen.names.size < MOST)
        poll.seen = seen = { at, names: new Map(seen.names).set(`${each.kind} ${each.name}`, each) };
  };
}

/** Has the next answers looked at: another process or node can send other names. */
export function lookAgain({ polls }: Pick<NodeTarget, "polls">): void {
  for (const poll of polls.values()) delete poll.seen;
}

/** The new names of a node; `undefined` where none of its answers was looked at within three intervals. */
export function unknownOf({ key, polls }: NodeTarget, store: Store, now: number): readonly Unknown[] | undefined {
  let isLooked = false;
  const names = new Map<string, Unknown>();
  for (const { seen, state, plan } of polls.values()) {
    const { id, methods } = plan.endpoint;
    if (state.last.is === "unsupported" && !methods.some((method) => KNOWN_REFUSALS.has(method)))
      names.set(`refused ${id}`, { kind: "refused", name: id });
    if (seen === undefined || now - seen.at > SILENT_INTERVALS * LOOK_EVERY) continue;
    isLooked = true;
    for (const [text, each] of seen.names) names.set(text, each);
  }
  const answer = store.get(key, NodeVersion, now)?.value;
  if (answer !== undefined && isUnknownRelease(answer))
    names.set(`release ${answer.version}`, { kind: "release", name: answer.version ?? "" });
  return isLooked ? [...names.values()].slice(0, MOST) : undefined;
}

// Each scrape asks this of every node.
const isUnknownRelease = perAnswer(({ version = "" }: { readonly version: string | undefined }) =>
  isNewer(releaseOf(version), { client: "avalanchego", release: NEWEST_RELEASE }),
);

/** The new names of all nodes, by kind and name. */
export function unknownTogether(targets: Iterable<NodeTarget>, store: Store, now: number): readonly UnknownName[] {
  const found = [...targets].flatMap((target) =>
    (unknownOf(target, store, now) ?? []).map((each) => ({ ...each, node: target.config.name })),
  );
  const together = [...Map.groupBy(found, ({ kind, name }) => `${kind} ${name}`)].sort(([a], [b]) => (a < b ? -1 : 1));
  return together
    .slice(0, MOST_TOGETHER)
    .flatMap(([, all]) =>
      all.slice(0, 1).map(({ kind, name }) => ({ kind, name, nodes: all.map(({ node }) => node) })),
    );
}
