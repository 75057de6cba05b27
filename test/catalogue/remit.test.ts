import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogueOf, endpointOf, metricsOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { catalogueWithin, EVERYTHING } from "../../src/catalogue/remit.ts";

const WHOLE = catalogueOf(TOPICS);
const namesOf = (remit: Parameters<typeof catalogueWithin>[0]) =>
  new Set(catalogueWithin(remit, WHOLE).families.map(({ name }) => name));

describe("the catalogue", () => {
  it("is whole for a process that has everything", () => {
    expect(catalogueWithin(EVERYTHING, WHOLE)).toBe(WHOLE);
  });

  it("has parts that are made once, and are their own parts", () => {
    const remit = { networks: false, once: true };
    const part = catalogueWithin(remit, WHOLE);
    expect(catalogueWithin({ ...remit }, WHOLE)).toBe(part);
    expect(catalogueWithin(remit, part)).toBe(part);
  });

  it("has every endpoint that a topic needs, of those about networks no other", () => {
    for (const networks of [true, false]) {
      for (const once of [true, false]) {
        const { topics, endpoints } = catalogueWithin({ networks, once }, WHOLE);
        const needed = topics
          .flatMap(({ needs }) => Object.values(needs).map(endpointOf))
          .filter(({ internal }) => internal !== true);
        expect(needed.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
        expect(endpoints.filter((each) => each.scope !== "node" && !needed.includes(each))).toEqual([]);
      }
    }
  });
});

describe("of several processes", () => {
  const others = catalogueWithin({ networks: false, once: false }, WHOLE);

  it("those beside the first show nothing without a node or a validator", () => {
    for (const topic of others.topics) {
      if (topic.scope === "node" || topic.scope === "vantage") continue;
      for (const { name, labels } of metricsOf(topic)) {
        expect([name, labels.some((label) => label === "node" || label === "node_id")]).toEqual([name, true]);
      }
    }
  });

  it("those beside the first show everything of nodes, and of networks the watched validators", () => {
    const missing = TOPICS.filter(({ id }) => !others.topics.some((topic) => topic.id === id));
    expect(new Set(missing.map(({ scope }) => scope))).toEqual(new Set(["network", "hosted"]));
    const kept = others.topics.filter(({ scope }) => scope === "network").map(({ id }) => id);
    expect(kept).toEqual(["validator", "validator-requirement"]);
  });

  it("those beside the first ask one thing alone about networks", () => {
    const asked = others.endpoints.filter(({ scope }) => scope === "network" || scope === "hosted");
    expect(asked.map(({ id }) => id)).toEqual(["platform.getCurrentValidators"]);
  });
});

describe("a look at one node", () => {
  it("counts nothing, compares nothing and has no cadence", () => {
    for (const networks of [true, false]) {
      const { topics, families } = catalogueWithin({ networks, once: true }, WHOLE);
      expect(families.filter(({ type }) => type === "counter" || type === "histogram")).toEqual([]);
      expect(topics.filter(({ scope }) => scope === "fleet" || scope === "hosted")).toEqual([]);
      const names = namesOf({ networks, once: true });
      expect(names).not.toContain("avax_endpoint_interval_seconds");
      expect(names).not.toContain("avax_helper_endpoint_up");
    }
  });

  it("tells of the node or of its network, and nothing in both", () => {
    const [node, network] = [namesOf({ networks: false, once: true }), namesOf({ networks: true, once: true })];
    expect(node).toContain("avax_node_up");
    expect(node).not.toContain("avax_validators");
    expect(network).toContain("avax_validators");
    expect(network).not.toContain("avax_node_up");
    const both = [...node].filter((name) => network.has(name));
    const watched = TOPICS.filter((topic) => topic.watched === true).flatMap(metricsOf);
    // Of watched validators the one tells those of the node, the other those of the configuration.
    expect(both.sort()).toEqual(watched.map(({ name }) => name).sort());
  });
});

it("what is told of each watched validator is marked, so that shards divide it", () => {
  const folder = join(import.meta.dirname, "../../src/topics");
  const files = globSync("**/*.ts", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
  const reading = files.filter((text) => text.includes("watchNetwork"));
  expect(reading.length).toBe(TOPICS.filter(({ watched }) => watched === true).length);
  expect(reading.filter((text) => !text.includes("watched: true"))).toEqual([]);
  for (const topic of TOPICS.filter(({ watched }) => watched === true)) {
    expect(topic.scope).toBe("network");
    for (const { labels } of metricsOf(topic)) expect(labels).toContain("node_id");
  }
});
