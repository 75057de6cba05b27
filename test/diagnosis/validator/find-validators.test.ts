import { expect, it } from "vitest";
import { findValidators, nearestValidators } from "../../../src/diagnosis/validator/validator-views.ts";
import { viewsOf } from "./samples.ts";

const info = (network: string, id: string, name: string, node = "") =>
  `avax_validator_info{network="${network}",node_id="${id}",name="${name}",node="${node}"} 1`;
const node = (name: string, id: string) => `avax_node_configured{network="fuji",node="${name}",node_id="${id}"} 1`;
const VIEWS = viewsOf([
  info("fuji", "NodeID-Aaaa", "alpha", "sim-1"),
  info("mainnet", "NodeID-Aaaa", "alpha"),
  info("fuji", "NodeID-Bbbb", "beta"),
  info("fuji", "NodeID-Cccc", "sim-1"),
  node("sim-1", "NodeID-Aaaa"),
  // A node that is called like another validator's ID.
  node("NodeID-Bbbb", "NodeID-Dddd"),
]);
const found = (text: string, network?: string) =>
  findValidators(VIEWS, text, network)
    .map((view) => `${view.network} ${view.nodeId}`)
    .sort();

it("an ID is stronger than the name of a node, and that than a configured name", () => {
  expect(found("NodeID-Bbbb")).toEqual(["fuji NodeID-Bbbb"]);
  expect(found("sim-1")).toEqual(["fuji NodeID-Aaaa"]);
  expect(found("beta")).toEqual(["fuji NodeID-Bbbb"]);
  expect(found("gamma")).toEqual([]);
  expect(found("")).toEqual([]);
});

it("one ID or name of several networks is told apart by the network", () => {
  expect(found("NodeID-Aaaa")).toEqual(["fuji NodeID-Aaaa", "mainnet NodeID-Aaaa"]);
  expect(found("NodeID-Aaaa", "mainnet")).toEqual(["mainnet NodeID-Aaaa"]);
  expect(found("alpha", "kite")).toEqual([]);
});

it("an unknown name has the nearest ones, and those that contain it", () => {
  expect(nearestValidators(VIEWS, "alhpa")).toEqual(["alpha"]);
  expect(nearestValidators(VIEWS, "Cccc")).toContain("NodeID-Cccc");
  expect(nearestValidators(VIEWS, "zzzzzzzzz")).toEqual([]);
});
