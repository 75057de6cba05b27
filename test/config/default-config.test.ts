import { expect, test } from "vitest";
import { defaultConfig, defaultNode } from "../../src/config/default-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { nodeSources } from "../../src/config/read/sources.ts";

test("the default configuration equals a file with only the local node", () => {
  const text = "nodes:\n  - { name: local, url: http://127.0.0.1:9650 }\n";
  const result = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => text });
  expect(result.ok && result.loaded.config).toEqual(defaultConfig());
});

test("the default node has the defaults of a file", () => {
  expect(defaultConfig().nodes).toEqual([defaultNode("local", "http://127.0.0.1:9650")]);
});
