import { describe, expect, it } from "vitest";
import { configured } from "../../../src/daemon/settings.ts";
import { nodeSources } from "../../../src/config/read/sources.ts";

describe("labels_on_series", () => {
  const problems = (labels: string) => {
    const text = `nodes:\n  - { name: a, url: "http://a:9650", labels: { region: eu } }\nlabels_on_series: ${labels}\n`;
    const result = configured("c.yaml", { env: {}, hostname: "host" }, false, {
      ...nodeSources({}),
      readFile: () => text,
    });
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
});
