import { describe, expect, it } from "vitest";
import { metricsOf } from "../../../src/topics/define/catalogue.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";
import { SERIES_LABELS } from "../../../src/config/schema/node-section.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";

describe("labels_on_series", () => {
  const problems = (labels: string) => {
    const text = `nodes:\n  - { name: a, url: "http://a:9650", labels: { region: eu } }\nlabels_on_series: ${labels}\n`;
    const result = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => text });
    return result.ok ? [] : result.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  };

  it("accepts names of labels", () => {
    expect(problems("[region, data_center]")).toEqual([]);
    expect(problems("[]")).toEqual([]);
  });

  it("rejects names that are not labels, and labels that the exporter or Prometheus sets", () => {
    expect(problems("[a-b, __name, node, job, chain, state, 7]")).toHaveLength(7);
    expect(problems("[chain]")).toEqual([
      '3:20: labels_on_series[0] must be a label that neither the exporter nor Prometheus sets; found "chain"',
    ]);
  });

  it("knows the labels of all metrics", () => {
    const used = new Set(TOPICS.flatMap(metricsOf).flatMap(({ labels }): readonly string[] => labels));
    expect([...used].filter((label) => !SERIES_LABELS.has(label))).toEqual([]);
    expect([...SERIES_LABELS].filter((label) => !used.has(label))).toEqual([]);
  });
});
