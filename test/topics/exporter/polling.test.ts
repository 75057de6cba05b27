import { describe, expect, it } from "vitest";
import type { EndpointRecord } from "../../../src/topics/own-records.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const NOW = 1_795_259_208;

/** An endpoint that last answered so many seconds ago. */
const endpoint = (
  id: string,
  age: number | undefined,
  every: number,
  state: "up" | "failing" | "lacking" = "up",
): EndpointRecord => ({
  ...{
    id,
    every,
    up: state === "lacking" ? undefined : state === "up",
    optional: false,
    questions: 1,
    untried: 0,
    supported: true,
    failing: 0,
    truncated: 0,
  },
  ...{ lastSuccess: age === undefined ? undefined : NOW - age, requests: 1, failures: new Map() },
});

const read = (up: boolean | undefined, ...endpoints: readonly EndpointRecord[]) =>
  readTopic(
    polling,
    { record: { up, missed: {}, polls: 1, seconds: 0, failures: new Map(), endpoints } },
    contextOf({ time: NOW }),
  );

describe("how long an answer is overdue", () => {
  it.each([
    ["it is in time", true, [endpoint("health", 30, 15)], 0],
    ["past three of its intervals", true, [endpoint("health", 345, 15), endpoint("info.peers", 100, 60)], 300],
    ["the stalest of several", true, [endpoint("health", 50, 15), endpoint("info.peers", 200, 60)], 20],
    ["a poll that fails has an alert of its own", true, [endpoint("health", 900, 15, "failing")], 0],
    ["none has succeeded yet", true, [endpoint("health", undefined, 15)], 0],
    ["the node is down", false, [endpoint("health", 900, 15)], 0],
    ["nothing is known of the node", undefined, [endpoint("health", 900, 15)], undefined],
  ])("%s", (_which, up, endpoints, overdue) => {
    expect(read(up, ...endpoints).get("avax_node_overdue_seconds")).toBe(overdue);
  });
});

it("an endpoint is up or not while its node answers", () => {
  const both = [
    endpoint("health", 3, 15),
    endpoint("info.peers", 3, 15, "failing"),
    endpoint("info.acps", 3, 15, "lacking"),
  ];
  expect(only(read(true, ...both), "avax_endpoint_up")).toEqual({
    'avax_endpoint_up{api_endpoint="health"}': 1,
    'avax_endpoint_up{api_endpoint="info.peers"}': 0,
  });
  for (const up of [false, undefined]) expect(only(read(up, ...both), "avax_endpoint_up")).toEqual({});
});
