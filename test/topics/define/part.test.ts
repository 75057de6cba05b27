import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogueOf, isEndpoint, metricsOf, sourceOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { partOf, type Part } from "../../../src/topics/define/part.ts";

const WHOLE = catalogueOf(TOPICS);
const PARTS: readonly Part[] = ["whole", "nodes", "node-probe", "network-probe"];
const namesOf = (part: Part) => new Set(partOf(WHOLE, part).families.map(({ name }) => name));

describe("the catalogue", () => {
  it("has parts that are created once, and are their own parts", () => {
    const part = partOf(WHOLE, "node-probe");
    expect(partOf(WHOLE, "node-probe")).toBe(part);
    expect(partOf(part, "node-probe")).toBe(part);
  });

  it("has every endpoint that a topic needs, and no other about networks", () => {
    for (const part of PARTS) {
      const { topics, endpoints } = partOf(WHOLE, part);
      const needed = topics.flatMap(({ needs }) => Object.values(needs).map(sourceOf)).filter(isEndpoint);
      expect(needed.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
      expect(endpoints.filter((each) => each.scope !== "node" && !needed.includes(each))).toEqual([]);
    }
  });
});

describe("several shards", () => {
  const others = partOf(WHOLE, "nodes");

  it("after the first export nothing without a node or a validator", () => {
    for (const topic of others.topics) {
      if (topic.scope === "node" || topic.scope === "observer") continue;
      for (const { name, labels } of metricsOf(topic)) {
        const isOfNodes = labels.some((label) => /^node(s|_id)?$/.test(label));
        // What a shard finds about all of its own nodes.
        const isOfShard = topic.across === true || topic.perShard === true;
        expect([name, isOfNodes || isOfShard]).toEqual([name, true]);
      }
    }
  });

  it("after the first export everything about nodes, and watched validators of networks", () => {
    const missing = TOPICS.filter(({ id }) => !others.topics.some((topic) => topic.id === id));
    expect(new Set(missing.map(({ scope }) => scope))).toEqual(new Set(["network", "comparison", "hosted"]));
    // All of their figures are facts of networks.
    expect(missing.filter(({ scope }) => scope === "comparison").map(({ id }) => id)).toEqual([
      "evm-pauses",
      "usable-nodes",
      "second-opinion",
      "quorum-margin",
    ]);
    const kept = others.topics.filter(({ scope }) => scope === "network").map(({ id }) => id);
    expect(kept).toEqual(["acp-votes", "validator", "reward-address", "validator-requirement", "l1-own"]);
  });

  it("after the first poll only three endpoints about networks, two of them of two nodes", () => {
    const asked = others.endpoints.filter(({ scope }) => scope === "network" || scope === "hosted");
    const ids = ["platform.getCurrentValidators", "platform.getValidatorFeeState"];
    expect(asked.map(({ id }) => id).sort()).toEqual(
      ["info.acps", ...ids.flatMap((id) => [id, `${id}.second`])].sort(),
    );
  });
});

describe("a probe", () => {
  it("has no counters, comparisons or cadences", () => {
    for (const part of ["node-probe", "network-probe"] as const) {
      const { topics, families } = partOf(WHOLE, part);
      expect(families.filter(({ type }) => type === "counter" || type === "histogram")).toEqual([]);
      expect(topics.filter(({ scope }) => scope === "comparison" || scope === "hosted")).toEqual([]);
      expect(namesOf(part)).not.toContain("avax_node_overdue_seconds");
    }
  });

  it("exports the node or its network, and nothing in both", () => {
    const [node, network] = [namesOf("node-probe"), namesOf("network-probe")];
    expect(node).toContain("avax_node_up");
    expect(node).not.toContain("avax_validators");
    expect(network).toContain("avax_validators");
    expect(network).not.toContain("avax_node_up");
    const both = [...node].filter((name) => network.has(name));
    const watched = TOPICS.filter((topic) => topic.watched === true).flatMap(metricsOf);
    // Watched validators are those of the node in one, and those of the configuration in the other.
    expect(both.sort()).toEqual(watched.map(({ name }) => name).sort());
  });
});

it("topics about watched validators are marked, so that shards divide them", () => {
  const folder = join(import.meta.dirname, "../../../src/topics");
  const files = globSync("**/*.ts", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
  const reading = files.filter((text) => text.includes("watchNetwork") && /\b(topic|reducer)\(/.test(text));
  expect(reading.length).toBe(TOPICS.filter(({ watched }) => watched === true).length);
  expect(reading.filter((text) => !text.includes("watched: true"))).toEqual([]);
  for (const topic of TOPICS.filter(({ watched }) => watched === true)) {
    expect(topic.scope).toBe("network");
    for (const { labels } of metricsOf(topic)) expect(labels).toContain("node_id");
  }
});
