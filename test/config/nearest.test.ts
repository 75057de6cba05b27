import { expect, test } from "vitest";
import { nearest } from "../../src/config/nearest.ts";

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
])("%s is near %s", (word, key) => {
  expect(nearest(word, KEYS)).toBe(key);
});

test.each(["", "x", "password", "info", "constructor", "a".repeat(10_000)])("%s is near nothing", (word) => {
  expect(nearest(word, KEYS)).toBeUndefined();
});
