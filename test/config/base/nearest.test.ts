import { distance } from "fastest-levenshtein";
import { expect, test, vi } from "vitest";

vi.mock("fastest-levenshtein", { spy: true });
// Test files share the modules of their process: the one that another file has loaded has the real `distance`.
vi.resetModules();
const { nearest } = await import("../../../src/config/base/nearest.ts");

const KEYS = ["name", "url", "node_id", "health_transport", "connections", "info.peers", "info.uptime"];

test.each([
  ["nodeId", "node_id"],
  ["node-id", "node_id"],
  ["urll", "url"],
  ["ulr", "url"],
  ["nmae", "name"],
  ["conections", "connections"],
  ["helth_transport", "health_transport"],
  ["info.peer", "info.peers"],
  ["info_peers", "info.peers"],
  ["peers", "info.peers"],
])("%s is similar to %s", (word, key) => {
  expect(nearest(word, KEYS)).toBe(key);
});

test.each(["", "x", "password", "info", "constructor", "a".repeat(10_000)])("%s is similar to no candidate", (word) => {
  expect(nearest(word, KEYS)).toBeUndefined();
});

test("a stranger's word of 12 kB is compared with nothing", () => {
  vi.mocked(distance).mockClear();
  expect(nearest("avax_".repeat(2_400), KEYS)).toBeUndefined();
  expect(distance).not.toHaveBeenCalled();
});
