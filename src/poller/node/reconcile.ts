import type { TargetFacts } from "../../api/endpoint.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import type { Work } from "../../runtime/work.ts";
import { networkKey, nodeKey, type NodeTarget } from "./node-target.ts";
import type { Polling } from "./polling.ts";
import type { ReconcileNode } from "./reconcile-node.ts";
import type { References } from "./references.ts";
import { isSameData } from "../poll/same-data.ts";
import type { Nodes } from "../shard/shard.ts";
import { configOf, groupByNetwork, networkOf } from "./state.ts";
import { factsReader } from "./target-facts.ts";

/** Reconciles the targets with the configuration and with the identities of the nodes, one node per step. */
type Reconciler = {
  /**
   * Replaces the targets by these nodes, in their order. A node with an unchanged configuration keeps its state. Dropped nodes
   * are neither polled nor compared from the first step on.
   */
  readonly nodes: (nodes: Nodes, config: Config) => Work<void>;
  /** Updates facts, polls and labels after identities changed. Returns the targets whose facts changed. */
  readonly identities: () => Work<ReadonlySet<NodeTarget>>;
};

export function createReconciler(
  polling: Polling,
  reconcileNode: ReconcileNode,
  references: Pick<References, "choose">,
  createTarget: (node: NodeConfig, auxiliary: boolean) => NodeTarget,
): Reconciler {
  const { part, state, store, reader, publisher, runner, clock } = polling;

  /** Groups the nodes by network, and forgets networks without nodes. */
  function regroup(): void {
    const before = state.networks;
    state.networks = groupByNetwork(state.targets.values(), before);
    for (const name of before.keys()) {
      if (state.networks.has(name)) continue;
      store.deleteOwner(networkKey(name));
      reader.forget(networkKey(name));
    }
  }

  function forget(target: NodeTarget): void {
    const network = networkOf(state, target);
    store.deleteOwner(nodeKey(target.config.name));
    reader.forget(nodeKey(target.config.name));
    if (network !== undefined) network.changed = true;
  }

  function* identities(): Work<ReadonlySet<NodeTarget>> {
    const all = [...state.targets.values()];
    const factsOf = factsReader(configOf(state), all, part);
    const changed = new Set<NodeTarget>();
    const rewatched: NodeTarget[] = [];
    for (const target of all) {
      const before = target.facts;
      target.facts = factsOf(target);
      if (!isSameData(before.watch, target.facts.watch)) rewatched.push(target);
      if (!isSameFacts(before, target.facts)) changed.add(target);
      yield;
    }
    regroup();
    for (const network of state.networks.values()) {
      references.choose(network, true);
      network.changed = true;
    }
    for (const target of changed) {
      reconcileNode(target);
      publisher.node(target);
      yield;
    }
    // The question is the same, but about other validators: the last answer does not cover them.
    for (const target of rewatched) {
      for (const poll of target.polls.values())
        if (poll.endpoint.scope === "observer" && poll.lastAttempt !== undefined) runner.due(target, poll, clock.now());
    }
    return changed;
  }

  return {
    identities,
    *nodes({ own, auxiliary }, config) {
      const isOnlyNodes = isSameData({ ...(state.config ?? config), nodes: [] }, { ...config, nodes: [] });
      state.config = config;
      const wanted = [
        ...own.map((node) => ({ node, auxiliary: false })),
        ...auxiliary.map((node) => ({ node, auxiliary: true })),
      ];
      const byName = new Map(wanted.map((each) => [each.node.name, each]));
      const gone = [...state.targets.values()].filter((target) => {
        const next = byName.get(target.config.name);
        return next?.auxiliary !== target.auxiliary || !isSameData(next.node, target.config);
      });
      for (const target of gone) {
        target.closed = true;
        state.targets.delete(target.config.name);
      }
      regroup();
      for (const target of gone) {
        void close(target, polling);
        forget(target);
        yield;
      }
      const joining = wanted.filter(({ node: { name } }) => !state.targets.has(name));
      // A change of any other section may add polls to every node.
      state.joining = (isOnlyNodes ? joining : wanted).length;
      const targets: NodeTarget[] = [];
      for (const { node, auxiliary: isAuxiliary } of wanted) {
        targets.push(state.targets.get(node.name) ?? createTarget(node, isAuxiliary));
        yield;
      }
      state.targets.clear();
      for (const target of targets) state.targets.set(target.config.name, target);
      const reconciled = yield* identities();
      for (const target of targets) {
        if (reconciled.has(target)) continue;
        reconcileNode(target);
        yield;
      }
    },
  };
}

/** Ends the polls, the sockets and the connections of a node. */
export async function close(
  target: NodeTarget,
  { runner, subscriptions }: Pick<Polling, "runner" | "subscriptions">,
): Promise<void> {
  target.closed = true;
  subscriptions.drop(target);
  for (const poll of target.polls.values()) runner.disarm(poll);
  // A failure to close the connection is harmless.
  await target.client.close().catch(() => undefined);
}

/** Whether polls and labels stay the same. The network's watch list only concerns the reference node, which is always reconciled. */
function isSameFacts(before: TargetFacts, after: TargetFacts): boolean {
  return isSameData({ ...before, watchNetwork: [] }, { ...after, watchNetwork: [] });
}
