import { describe, expect, it, test } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";
import { ALWAYS_PROBED, NOT_PROBED, PROBE_MODULES } from "../../../src/config/schema/probe-section.ts";
import { catalogueOf, metricsOf, sourceOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { networkEndpointIds } from "../../../src/topics/define/part.ts";

const WHOLE = catalogueOf(TOPICS);
const IDS = WHOLE.endpoints.map(({ id }) => id);

/** Loads a configuration with this section `probe`. */
function load(section: string) {
  const text = `nodes:\n  - { name: a, url: "http://a:9650" }\nprobe:\n${section}`;
  return loadConfig(
    "c.yaml",
    IDS,
    { ...nodeSources({}), readFile: () => text },
    { networkEndpointIds: networkEndpointIds(WHOLE) },
  );
}
describe("the section probe", () => {
  it("adds modules or replaces built-in ones", () => {
    const result = load("  modules: { mine: { endpoints: [health] }, evm: { endpoints: [evm.head] } }\n");
    expect(result.ok && result.loaded.config.probe.modules).toEqual({
      ...PROBE_MODULES,
      mine: { endpoints: ["health"], network: false },
      evm: { endpoints: ["evm.head"], network: false },
    });
  });

  it("parses targets in any case", () => {
    const result = load('  targets: ["10.0.0.*:9650", "Node-*.Example.org:443", "[fd00::1]:9650"]\n');
    expect(result.ok && result.loaded.config.probe.targets).toEqual([
      { host: "10.0.0.*", port: 9650 },
      { host: "node-*.example.org", port: 443 },
      { host: "[fd00::1]", port: 9650 },
    ]);
    expect(result.ok && result.loaded.warnings).toEqual([]);
  });

  it("warns about a target that matches any host", () => {
    const result = load('  targets: ["*:9650", "*.*.*.*:9650"]\n');
    expect(result.ok && result.loaded.warnings.map(({ message }) => message)).toEqual([
      "every client of the exporter can make it send requests to any such host",
      "every client of the exporter can make it send requests to any such host",
    ]);
  });

  it("requires network: true for endpoints of the network", () => {
    const result = load("  modules: { supply: { endpoints: [platform.getCurrentSupply] } }\n");
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).toEqual([
      "platform.getCurrentSupply is about the whole network; set network: true for this module, or remove it",
    ]);
    expect(load("  modules: { supply: { endpoints: [platform.getCurrentSupply], network: true } }\n").ok).toBe(true);
  });
});

describe("the lists of endpoints", () => {
  test("topics of endpoints that cannot be probed have counters", () => {
    for (const id of NOT_PROBED) {
      const topics = WHOLE.topicsBySource.get(id) ?? [];
      expect(topics.length).toBeGreaterThan(0);
      for (const topic of topics) {
        expect(topic.next).toBeDefined();
        expect(metricsOf(topic).some(({ type }) => type === "counter")).toBe(true);
      }
    }
    const counted = WHOLE.topics.filter(
      (topic) => topic.scope === "network" && metricsOf(topic).some(({ type }) => type === "counter"),
    );
    const sources = counted.flatMap(({ needs }) => Object.values(needs).map((need) => sourceOf(need).id));
    expect(new Set(sources)).toEqual(NOT_PROBED);
  });

  test("the endpoints of whole networks are those that a probe of a node does not poll", () => {
    const ids = networkEndpointIds(WHOLE).filter((id) => !NOT_PROBED.has(id));
    expect(ids).toContain("platform.getCurrentSupply");
    expect(ids).not.toContain("platform.getCurrentValidators");
    expect(ids).not.toContain("info.peers");
    expect(IDS).toEqual(expect.arrayContaining([...ALWAYS_PROBED]));
  });

  test("only ids of hosted endpoints start with data. or metrics.", () => {
    const hosted = WHOLE.endpoints.filter(({ scope }) => scope === "hosted").map(({ id }) => id);
    expect(IDS.filter((id) => /^(data|metrics)\./.test(id))).toEqual(hosted);
  });
});
