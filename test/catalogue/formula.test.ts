import { describe, expect, it } from "vitest";
import { metricsOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";

const FORMULAS = TOPICS.flatMap((topic) => (topic.formulas ?? []).map((formula) => ({ ...formula, topic })));

describe.each(FORMULAS)("$metric", ({ metric, topic, result, compute, example, formula }) => {
  it("gives what its worked example says", () => {
    expect(compute()).toBe(result);
  });

  it("belongs to its topic, and says how", () => {
    expect(metricsOf(topic).map(({ name }) => name)).toContain(metric);
    expect(example).toMatch(/^[A-Z0-9].*\.$/);
    expect(formula).toMatch(/[^.]$/);
  });
});

describe("formulas", () => {
  it("are there for each derived figure", () => {
    expect(FORMULAS.map(({ metric }) => metric).sort()).toEqual(
      [
        "avax_chain_lag_blocks",
        "avax_network_upgrade_ready_stake_ratio",
        "avax_node_benched_stake_ratio",
        "avax_node_clock_skew_seconds",
        "avax_node_downtime_spent_ratio",
        "avax_node_granted_stake_ratio",
        "avax_node_newer_version_stake_ratio",
        "avax_node_upgrade_ready",
        "avax_l1_validator_runway_seconds",
        "avax_subnet_connected_weight_ratio",
        "avax_subnet_quorum_spare_validators",
        "avax_validator_attainable_uptime_ratio",
        "avax_validator_downtime_allowance_seconds",
        "avax_validator_downtime_budget_seconds",
        "avax_validator_uptime_disagreement_ratio",
        "avax_validator_uptime_margin_ratio",
      ].sort(),
    );
  });
});
