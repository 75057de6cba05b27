import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { nodeEndpoints } from "../../../src/topics/define/catalogue.ts";
import { desiredPolls } from "../../../src/poller/node/reconciler.ts";
import { reconcilePolls } from "../../../src/poller/poll/reconcile-polls.ts";
import { networkKey, nodeKey, type NodeTarget } from "../../../src/poller/node/poller-state.ts";
import { configOf, coreCatalogue } from "../../support/engines.ts";
import { PERM1, S1, SUBNETS } from "../../support/local-network.ts";
import { contextOf } from "../../support/topics.ts";

const endpoints = nodeEndpoints(coreCatalogue());
const NOW = 1_800_000_000;
const CONFIG = configOf(["a"]);

function target(facts: NodeTarget["facts"] = contextOf()): NodeTarget {
  return { config: CONFIG.nodes[0], facts, polls: new Map(), closed: false } as unknown as NodeTarget;
}
const plan = (of: NodeTarget, config: Config = CONFIG, isReference = false) =>
  reconcilePolls(
    of.polls,
    desiredPolls(of, endpoints, config, () => isReference),
    NOW,
    () => NOW,
  );
const ids = (of: NodeTarget) => [...of.polls.keys()];

describe("the polls of a node", () => {
  it("are about the node itself, and on the reference node about the network too", () => {
    const node = target();
    plan(node);
    expect(ids(node)).toContain("health");
    expect(ids(node)).toContain("info.isBootstrapped P");
    expect(ids(node)).not.toContain("platform.getCurrentValidators primary");
    const { added, removed } = plan(node, CONFIG, true);
    expect(removed).toEqual([]);
    expect(added.every(({ plan: { endpoint } }) => endpoint.scope === "network")).toBe(true);
    expect(added.every(({ plan: { owner } }) => owner === networkKey("local"))).toBe(true);
    expect(ids(node)).toContain("platform.getCurrentValidators primary");
    const back = plan(node);
    expect(back.removed).toEqual(added);
    expect(back.added).toEqual([]);
  });

  it("are due at once and then on their own schedule, the same after a restart", () => {
    const [first, second] = [target(), target()];
    plan(first);
    plan(second);
    for (const [id, { plan: planned, state }] of first.polls) {
      expect(state.wait).toEqual({ is: "due", at: NOW });
      expect(planned.phase).toBeGreaterThanOrEqual(0);
      expect(planned.phase).toBeLessThan(planned.every);
      expect(second.polls.get(id)?.plan.phase).toBe(planned.phase);
      expect(planned.owner).toBe(nodeKey("a"));
    }
    expect(new Set([...first.polls.values()].map(({ plan: { phase } }) => phase)).size).toBe(first.polls.size);
  });

  it("cover each configured chain, subnet and alias, and end when it is no longer configured", () => {
    const config = configOf(["a"], { subnets: SUBNETS });
    const node = target(contextOf({ subnets: SUBNETS }));
    plan(node, config);
    expect(ids(node)).toContain(`info.isBootstrapped ${PERM1}`);
    expect(ids(node)).toContain(`health.subnet ${S1}`);
    node.facts = contextOf();
    const { added, removed } = plan(node);
    expect(added).toEqual([]);
    expect(removed.map(({ plan: { key } }) => key)).toContain(PERM1);
    expect(ids(node).filter((id) => id.includes(S1))).toEqual([]);
  });

  it("exclude the network while it is unknown", () => {
    const node = target({ ...contextOf(), network: undefined });
    plan(node, CONFIG, true);
    expect([...node.polls.values()].every(({ plan: { endpoint } }) => endpoint.scope === "node")).toBe(true);
    const { added, removed } = plan(Object.assign(node, { facts: contextOf() }), CONFIG, true);
    expect(removed).toEqual([]);
    expect(added.length).toBeGreaterThan(2);
  });

  it("are replaced for a network of another name", () => {
    const node = target();
    plan(node, CONFIG, true);
    node.facts = contextOf({ network: "fuji" });
    const { added, removed } = plan(node, CONFIG, true);
    expect(removed.map(({ plan: { owner } }) => owner)).toEqual(added.map(() => networkKey("local")));
    expect(new Set(added.map(({ plan: { owner } }) => owner))).toEqual(new Set([networkKey("fuji")]));
  });
});
