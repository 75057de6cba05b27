import { isDeepStrictEqual } from "node:util";
import { IsBootstrapped, NodeId } from "../api/node/info.ts";
import { PlatformHeight } from "../api/node/platform.ts";
import { isOfExporter, type Reason } from "../api/reasons.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import type { Services } from "./hosted/services.ts";
import { newlyInvalid, takeOutcome } from "./poll/take-outcome.ts";
import type { Poll, PollOutcome } from "./poll/poll.ts";
import { forgetRefusals } from "./poll/served-by.ts";
import type { Runner } from "./poll/runner.ts";
import { isRoundOver, shortestInterval } from "./poll/target.ts";
import type { NodeCollector } from "./node/node-collector.ts";
import { highestAnswer, noteHeight } from "./node/note-height.ts";
import { newTarget, noteNodeId } from "./node/node-target.ts";
import type { Reconciler } from "./node/reconciler.ts";
import {
  failingText,
  identifies,
  identityAfter,
  networkOf,
  regroup,
  shownBy,
  standsInFor,
} from "./node/poller-state.ts";
import type { NodeTarget, PollerState, Shown } from "./node/poller-state.ts";
import { forget } from "./node/node-memory.ts";
import type { Subscriptions } from "./node/subscriptions.ts";
import { isFirst, type Identity } from "./node/facts-reader.ts";
import { lookAgain } from "./node/unknown-name.ts";

/** What the fleet uses. None of these knows it. */
type FleetParts = {
  readonly state: PollerState;
  readonly runner: Runner;
  readonly subscriptions: Subscriptions;
  readonly reconciler: Reconciler;
  readonly collector: NodeCollector;
  readonly services: Services;
};

/** Seconds from the first changed identity to one reconcile for all of them, and the addition per node. */
const SETTLE = 0.01;
const SETTLE_PER_NODE = 0.001;
/** Shortest intervals of a node without another change of its ID after which the ID stays. */
const STEADY = 1.5;

/** The polled nodes: their connections, and what follows from the end of a poll and from the identity that a node answers with. */
export class Fleet {
  readonly #parts: FleetParts;
  /** Cancels the reconcile that follows changed identities. */
  #settling: (() => void) | undefined;
  /** Whether a node has become known since the last reconcile. */
  #joined = false;
  /** By node, cancels the look whether its changed ID stays. */
  readonly #steady = new WeakMap<NodeTarget, () => void>();

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  /** Replaces the nodes by these, in their order. A node with an unchanged configuration keeps its state. */
  apply(nodes: readonly NodeConfig[], config: Config): void {
    const { state, reconciler } = this.#parts;
    const isOnlyNodes = isDeepStrictEqual({ ...(state.config ?? config), nodes: [] }, { ...config, nodes: [] });
    state.config = config;
    const byName = new Map(nodes.map((node) => [node.name, node]));
    for (const target of [...state.targets.values()]) {
      const next = byName.get(target.config.name);
      if (isDeepStrictEqual(next, target.config)) continue;
      void this.#close(target);
      forget(state, target, next, state.clock.now());
    }
    regroup(state, state.clock.now());
    const joining = nodes.filter(({ name }) => !state.targets.has(name));
    // A change of any other section can add polls to every node.
    state.joining = (isOnlyNodes ? joining : nodes).length;
    const targets = nodes.map((node) => state.targets.get(node.name) ?? newTarget(node, state, this));
    // What remains is no longer configured.
    state.remembered.clear();
    state.targets.clear();
    for (const target of targets) state.targets.set(target.config.name, target);
    state.namesById = undefined;
    reconciler.identities(true);
    for (const target of targets) reconciler.reconcile(target);
  }

  /** Chooses who is polled about each network and its chains. */
  distribute(now: number): void {
    const { state, reconciler } = this.#parts;
    for (const network of state.networks.values()) {
      network.highest = highestAnswer(state.store, network, now);
      reconciler.choose(network);
    }
  }

  /** Whether every poll of a node has ended, and those that the answers made necessary: each answer can add some. */
  isRoundOver(): boolean {
    const { targets, clock } = this.#parts.state;
    const isQuiet = (): boolean => this.#settling === undefined && targets.values().every(isRoundOver);
    if (!isQuiet()) return false;
    this.distribute(clock.now());
    return isQuiet();
  }

  /** Whether a poll of a node was never sent, is running, or is due within the next second. */
  busy(): boolean {
    const { targets, clock } = this.#parts.state;
    const soon = clock.now() + 1;
    const isPolling = ({ state: { wait, attemptedAt } }: Poll): boolean =>
      attemptedAt === undefined || wait.is === "running" || wait.at < soon;
    return this.#settling !== undefined || targets.values().some(({ polls }) => polls.values().some(isPolling));
  }

  /** Takes the node ID that an answer of a node carries. */
  identified(target: NodeTarget, nodeId: string): void {
    const { state } = this.#parts;
    if (target.config.publicServer) return; // Other nodes answer each time.
    target.standsIn = standsInFor(state, target, nodeId);
    noteNodeId(target, nodeId, state.clock.now());
    this.#identify(target, { ...target.identity, nodeId });
  }

  /** Applies the outcome of a poll of a node. */
  ended(target: NodeTarget, poll: Poll, outcome: PollOutcome): void {
    const { state, reconciler } = this.#parts;
    const { store, lines } = state;
    const now = state.clock.now();
    const before = shownBy(store, target, poll, now);
    const invalid = newlyInvalid(store, poll, outcome, now);
    if (invalid !== undefined)
      lines.note("warn", "rows of an answer have invalid fields", { node: target.config.name, ...invalid });
    takeOutcome(store, target, poll, outcome, now);
    if ("value" in outcome) this.#learn(target, poll, now);
    else if (outcome.failure.reason === "wrong_node")
      Object.assign(target, { idMatch: { matches: false, at: now }, standsIn: false });
    const after = shownBy(store, target, poll, now);
    this.#logTurns(target, before, after, outcome);
    this.#askAgain(target, before, after, outcome);
    if (after.up !== before.up || poll.plan.endpoint.id === IsBootstrapped.id) reconciler.reconsider(target);
  }

  /** Ends the polls, the sockets and the connections of all nodes. */
  async close(): Promise<void> {
    this.#settling?.();
    await Promise.all(this.#parts.state.targets.values().map((target) => this.#close(target)));
  }

  /** Ends the polls, the sockets and the connections of a node. */
  async #close(target: NodeTarget): Promise<void> {
    target.closed = true;
    this.#parts.subscriptions.drop(target);
    // A failure to close the connection is harmless.
    await target.client.close().catch(() => undefined);
  }

  /** Takes what an answer teaches of its node. */
  #learn(target: NodeTarget, { plan: { endpoint, key, owner } }: Poll, now: number): void {
    const { state, collector } = this.#parts;
    const { store } = state;
    if (endpoint.id === NodeId.id) noteNodeId(target, store.get(owner, NodeId, now, key)?.value.nodeID, now);
    const network = networkOf(state, target);
    if (network !== undefined && endpoint.id === PlatformHeight.id) noteHeight(store, target, network, now);
    if (identifies(endpoint)) this.#identify(target, identityAfter(store, target, now));
    collector.advance(target, endpoint, now);
  }

  /** Logs that a node went down or is back, and that it began to report itself unhealthy. */
  #logTurns(target: NodeTarget, before: Shown, after: Shown, outcome: PollOutcome): void {
    const { store, lines, clock } = this.#parts.state;
    const node = target.config.name;
    if (before.healthy && !after.healthy)
      lines.note("warn", "node reports itself unhealthy", { node, failing: failingText(store, target, clock.now()) });
    if (after.up === true && before.up === false) lines.note("info", "node is up again", { node });
    if (after.up === false && before.up !== false && "failure" in outcome) {
      const { reason, message: error } = outcome.failure;
      lines.note("warn", "node is down", { node, reason, error });
    }
  }

  /** Has polls sent at once whose last results the end of another one puts in doubt. */
  #askAgain(target: NodeTarget, before: Shown, after: Shown, outcome: PollOutcome): void {
    const { state } = this.#parts;
    const isBack = (after.up === true && before.up !== true) || (before.bootstrapping && !after.bootstrapping);
    const isOther = before.served !== undefined && after.served !== before.served;
    if (isBack) this.#want(target, isFailing);
    if (isBack || isOther) this.#want(target, (each) => each.state.last.is === "unsupported");
    if ((isBack && before.up !== undefined) || isOther) {
      forgetRefusals(state.store, target);
      lookAgain(target);
    }
    const others = isBack ? [...state.targets.values()].filter((each) => each !== target) : [];
    // Where none answered the cause was not the nodes, most likely: the others are not down until they are asked again.
    if (isBack && others.every(({ up }) => up === false)) for (const each of others) this.#want(each, isFailing, true);
    // Where one poll succeeds again others will: their back-off ends, but none is sent more often than by its cadence.
    else if (before.failures > 0 && "value" in outcome) this.#wantOverdue(target);
    // Signs of a restart or of a failure: what seemed settled is in doubt.
    const isSign = after.failures === 1 && "failure" in outcome && !saysNothing(outcome.failure.reason);
    if (isSign || isBack || (before.healthy && !after.healthy)) this.#want(target, (each) => each.state.settled, true);
  }

  /** Has polls of a node sent at once. @param limited each once an interval at most */
  #want(target: NodeTarget, which: (poll: Poll) => boolean, limited = false): void {
    const { runner, state } = this.#parts;
    for (const poll of target.polls.values()) if (which(poll)) runner.want(target, poll, state.clock.now(), limited);
  }

  #wantOverdue(target: NodeTarget): void {
    const { runner, state } = this.#parts;
    const now = state.clock.now();
    for (const poll of target.polls.values()) {
      const { failures, attemptedAt = now, wait } = poll.state;
      const soonest = Math.max(now, attemptedAt + poll.plan.every);
      if (failures > 0 && wait.is === "due" && wait.at > soonest) runner.want(target, poll, soonest);
    }
  }

  /** If the node ID changes, all earlier answers belong to another node. Facts and polls follow a moment later, of all nodes at once. */
  #identify(target: NodeTarget, identity: Identity): void {
    const { clock, targets } = this.#parts.state;
    const before = target.identity;
    const isSame = (field: keyof Identity): boolean => identity[field] === before[field];
    if (target.closed || (isSame("nodeId") && isSame("networkName") && isSame("networkId"))) return;
    target.identity = identity;
    this.#parts.state.namesById = undefined;
    if (before.nodeId !== undefined && before.nodeId !== identity.nodeId) this.#replaced(target, before.nodeId);
    this.#joined ||= isFirst(before, identity);
    this.#settling ??= clock.after(SETTLE + targets.size * SETTLE_PER_NODE, () => this.#settle());
  }

  #settle(): void {
    const { reconciler, services, runner } = this.#parts;
    this.#settling = undefined;
    reconciler.identities(this.#joined);
    if (this.#joined) services.apply();
    this.#joined = false;
    runner.announce();
  }

  /** Another node answers at the address: the answers of the earlier one are dropped, and everything is asked again, once an interval at most. */
  #replaced(target: NodeTarget, before: string): void {
    const { store, clock, lines } = this.#parts.state;
    target.replaced = true;
    lookAgain(target);
    const node = target.config.name;
    lines.note("warn", "a different node answers at this address", { node, before, now: target.identity.nodeId });
    store.deleteOwner(target.key);
    this.#want(target, () => true, true);
    // Behind a load balancer that changed nodes a few times, slow endpoints would be absent until their slot: once the ID
    // stays, what was dropped since its polls came early is asked for too.
    this.#steady.get(target)?.();
    const isDropped = ({ plan: { owner, endpoint, key } }: Poll): boolean =>
      !target.closed && store.get(owner, endpoint, clock.now(), key) === undefined;
    const wait = STEADY * shortestInterval(target.polls.values());
    this.#steady.set(
      target,
      clock.after(wait, () => this.#want(target, isDropped)),
    );
  }
}

const isFailing = ({ state: { last } }: Poll): boolean => last.is === "failing";

/** Whether a failure says nothing of the node: the exporter was too busy, or the server must not get more requests. */
const saysNothing = (reason: Reason): boolean => isOfExporter(reason) || reason === "rate_limited";
