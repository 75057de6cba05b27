import { expect, it, test } from "vitest";
import { defaultConfig, localName } from "../../src/config/default-config.ts";
import { configured } from "../../src/daemon/load-settings.ts";

test.each([
  ["val-1", "val-1"],
  ["val-1.example.org", "val-1.example.org"],
  ["avalanchego-0", "avalanchego-0"],
  ["localhost", "local"],
  ["localhost.localdomain", "local"],
  ["3f0c1de2a9b4", "local"],
  ["", "local"],
  ["a b", "local"],
  ["x".repeat(101), "local"],
])("the node of the machine %j is called %s", (hostname, name) => {
  expect(localName(hostname)).toBe(name);
});

it("without a file the node has the name of its machine, in the masked configuration too", () => {
  const result = configured(undefined, { env: {}, hostname: "val-1" });
  expect(result.ok && result.loaded.config).toEqual(defaultConfig("val-1"));
  expect(result.ok && result.loaded.masked()).toContain('  - name: "val-1"\n    url: http://127.0.0.1:9650\n');
  expect(defaultConfig().nodes.map(({ name }) => name)).toEqual(["local"]);
});
