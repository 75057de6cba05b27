import type { NodeConfig } from "../config/config.ts";
import type { Fleet } from "./fleet.ts";
import { regroup, takeIn } from "./learning.ts";
import { nodeKey } from "./planning.ts";
import { plan } from "./plan.ts";
import { isSameData } from "./same-data.ts";
import type { Nodes } from "./shard/shard.ts";
import type { Target } from "./target.ts";

/**
 * Makes the targets these nodes, in their order, and asks them what the configuration wants. A node whose configuration is the
 * same keeps everything; `onlyNodes`: nothing else of the configuration has changed. A node a step: what is dropped is neither asked nor compared from the first one on.
 */
export function* replaceTargets(
  fleet: Fleet,
  { own, helpers }: Nodes,
  onlyNodes: boolean,
  create: (node: NodeConfig, helps: boolean) => Target,
): Generator<undefined, void> {
  const wanted = [...own.map((node) => ({ node, helps: false })), ...helpers.map((node) => ({ node, helps: true }))];
  const byName = new Map(wanted.map((each) => [each.node.name, each]));
  const gone = [...fleet.targets.values()].filter(({ config, helps }) => {
    const next = byName.get(config.name);
    return next?.helps !== helps || !isSameData(next.node, config);
  });
  for (const target of gone) {
    target.closed = true;
    fleet.targets.delete(target.config.name);
  }
  regroup(fleet);
  for (const target of gone) {
    void shut(fleet, target);
    forget(fleet, target);
    yield;
  }
  // What a change of everything else asks anew, it asks of all of them.
  fleet.joining = onlyNodes ? wanted.filter(({ node: { name } }) => !fleet.targets.has(name)).length : wanted.length;
  const targets: Target[] = [];
  for (const { node, helps } of wanted) {
    targets.push(fleet.targets.get(node.name) ?? create(node, helps));
    yield;
  }
  fleet.targets.clear();
  for (const target of targets) fleet.targets.set(target.config.name, target);
  const planned = yield* takeIn(fleet);
  for (const target of targets) {
    if (planned.has(target)) continue;
    plan(fleet, target);
    yield;
  }
}

function forget({ store, reader, uncompared }: Fleet, { config, subject }: Target): void {
  store.deleteOwner(nodeKey(config.name));
  reader.forget(nodeKey(config.name));
  if (subject.network !== undefined) uncompared.add(subject.network);
}

/** Ends everything that goes on with a node. */
export async function shut({ runner, subscriptions }: Fleet, target: Target): Promise<void> {
  target.closed = true;
  subscriptions.drop(target);
  for (const poll of target.polls.values()) runner.disarm(poll);
  // A socket that does not close in order is of no interest any more.
  await target.client.close().catch(() => undefined);
}
