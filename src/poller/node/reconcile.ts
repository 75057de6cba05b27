import type { TargetFacts } from "../../api/endpoint.ts";
import type { Part } from "../../catalogue/part.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Work } from "../../runtime/work.ts";
import type { Reader } from "../poll/reader.ts";
import type { Runner } from "../poll/runner.ts";
import type { Store } from "../poll/store.ts";
import type { Nodes } from "../shard/shard.ts";
import type { Publisher } from "./publisher.ts";
import { configOf, groupByNetwork, networkKey, networkOf, nodeKey } from "./state.ts";
import type { Network, NodeTarget, State } from "./state.ts";
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

type Parts = {
  readonly part: Part;
  readonly state: State;
  readonly store: Store;
  readonly reader: Pick<Reader, "forget">;
  readonly publisher: Pick<Publisher, "node">;
  readonly runner: Pick<Runner, "due">;
  readonly clock: Clock;
  readonly reconcileNode: (target: NodeTarget) => void;
  /** Chooses the reference node of a network and reconciles it, even if it is the present one. */
  readonly chooseReference: (network: Network) => void;
  readonly createTarget: (node: NodeConfig, auxiliary: boolean) => NodeTarget;
  readonly closeTarget: (target: NodeTarget) => Promise<void>;
};

export function createReconciler(parts: Parts): Reconciler {
  const { part, state, store, reader, publisher, runner, clock } = parts;
  const { reconcileNode, chooseReference, createTarget, closeTarget } = parts;

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
      chooseReference(network);
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
        void closeTarget(target);
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

/** Whether polls and labels stay the same. The network's watch list only concerns the reference node, which is always reconciled. */
function isSameFacts(before: TargetFacts, after: TargetFacts): boolean {
  return isSameData({ ...before, watchNetwork: [] }, { ...after, watchNetwork: [] });
}

/**
 * Whether two values of plain data (texts, numbers, lists, records) are equal; an `undefined` field equals a missing one. It
 * stops at the first difference and allocates nothing, because a changed identity compares the facts of a thousand nodes.
 */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isSameList(a, b);
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const key in left) if (!isSameData(left[key], right[key])) return false;
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false;
  return true;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => isSameData(each, b[index]));
}
