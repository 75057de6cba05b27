import type { TargetFacts } from "../../api/endpoint.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import type { Part } from "../../catalogue/part.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Work } from "../../runtime/work.ts";
import { networkKey, nodeKey, type NodeTarget } from "./node-target.ts";
import type { Publisher } from "./publisher.ts";
import type { Reader } from "../poll/reader.ts";
import type { ReconcileNode } from "./reconcile-node.ts";
import type { References } from "./references.ts";
import type { Runner } from "../poll/runner.ts";
import { isSameData } from "../poll/same-data.ts";
import type { Nodes } from "../shard/shard.ts";
import { groupByNetwork, networkOf, type State } from "./state.ts";
import type { Store } from "../poll/store.ts";
import { factsReader } from "./target-facts.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Brings the targets in line with the configuration and with what is known of the nodes, a node a step. */
export type Reconciler = {
  /**
   * Makes the targets these nodes, in their order. A node whose configuration is the same keeps everything. What is dropped is
   * neither asked nor compared from the first step on.
   */
  readonly nodes: (nodes: Nodes, config: Config) => Work<void>;
  /** Takes in who the nodes are: who is asked what, and under which labels it is exported. */
  readonly identities: () => Work<ReadonlySet<NodeTarget>>;
};

/** Makes the target of a node. */
export type CreateTarget = (node: NodeConfig, auxiliary: boolean) => NodeTarget;

/** What it works with. */
export type ReconcilerOptions = {
  readonly part: Part;
  readonly state: State;
  readonly store: Store;
  readonly reader: Pick<Reader, "forget">;
  readonly publisher: Pick<Publisher, "node">;
  readonly runner: Pick<Runner, "due" | "disarm">;
  readonly references: Pick<References, "choose">;
  readonly reconcileNode: ReconcileNode;
  readonly subscriptions: Pick<Subscriptions, "drop">;
  readonly createTarget: CreateTarget;
  readonly clock: Clock;
};

export function createReconciler({
  part,
  state,
  store,
  reader,
  publisher,
  runner,
  references,
  reconcileNode,
  subscriptions,
  createTarget,
  clock,
}: ReconcilerOptions): Reconciler {
  /** Finds out which networks there are now. One that no node belongs to is forgotten. */
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
    const factsOf = factsReader(state.config, all, part);
    const changed = new Set<NodeTarget>();
    const rewatching: NodeTarget[] = [];
    for (const target of all) {
      const before = target.facts;
      target.facts = factsOf(target);
      if (!isSameData(before.watch, target.facts.watch)) rewatching.push(target);
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
    askAboutWatched(rewatching);
    return changed;
  }

  /** The same question about other validators: what was answered to the old one is no answer. */
  function askAboutWatched(targets: readonly NodeTarget[]): void {
    for (const target of targets) {
      for (const poll of target.polls.values())
        if (poll.endpoint.scope === "observer" && poll.lastAttempt !== undefined) runner.due(target, poll, clock.now());
    }
  }

  return {
    identities,
    *nodes({ own, auxiliary }, config) {
      const isOnlyNodes = isSameData({ ...state.config, nodes: [] }, { ...config, nodes: [] });
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
        void close(target, runner, subscriptions);
        forget(target);
        yield;
      }
      const joining = wanted.filter(({ node: { name } }) => !state.targets.has(name));
      // What a change of everything else asks again, it asks of all of them.
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

/** Ends everything that goes on with a node. */
export async function close(
  target: NodeTarget,
  runner: Pick<Runner, "disarm">,
  subscriptions: Pick<Subscriptions, "drop">,
): Promise<void> {
  target.closed = true;
  subscriptions.drop(target);
  for (const poll of target.polls.values()) runner.disarm(poll);
  // A socket that does not close in order is of no interest now.
  await target.client.close().catch(() => undefined);
}

/** Whether a node is to be asked and labelled as before. The network's watch list concerns its reference node alone, which is always reconciled. */
function isSameFacts(before: TargetFacts, after: TargetFacts): boolean {
  return isSameData({ ...before, watchNetwork: [] }, { ...after, watchNetwork: [] });
}
