import { expect, it } from "vitest";
import type { EndpointRecord } from "../../../src/topics/own-records.ts";
import { hostedService } from "../../../src/topics/exporter/hosted-service.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const NOW = 1_795_259_208;

/** What is exported of an endpoint with such queries. */
function read(given: Partial<EndpointRecord>) {
  const endpoint: EndpointRecord = {
    ...{ id: "data.chain", every: 600, up: true, optional: false, questions: 2, untried: 0, supported: true },
    ...{ failing: 0, truncated: 0, lastSuccess: NOW, polls: 1, seconds: 0, requests: 1, failures: new Map() },
    ...given,
  };
  const service = {
    ...{ service: "data", up: true, keyAccepted: true, perMinute: 1, perDay: 1, spent: 0, demand: 0, postponed: 0 },
    ...{ overdue: 0, pausedUntil: undefined, endpoints: [endpoint], answers: [] },
  };
  const samples = readTopic(
    hostedService,
    { record: { services: [service], names: new Map() } },
    contextOf({ time: NOW }),
  );
  const of = (family: string) => samples.get(`avax_hosted_endpoint_${family}{api="data",api_endpoint="data.chain"}`);
  return { overdue: of("overdue_seconds"), unanswered: of("unanswered_questions") };
}

it.each([
  ["answers in time", {}, 0, 0],
  ["is as old as three of its intervals, half an hour", { lastSuccess: NOW - 1800 }, 0, 0],
  ["is overdue by a minute", { lastSuccess: NOW - 1860, failing: 1 }, 60, 0],
  ["is polled often: overdue after half an hour", { every: 60, lastSuccess: NOW - 1200 }, 0, 0],
  ["is polled once an hour", { every: 3600, lastSuccess: NOW - 7200 }, 0, 0],
  ["has a query that never succeeded", { lastSuccess: undefined, failing: 2 }, undefined, 2],
  ["has a query that was not tried yet", { untried: 1, failing: 1 }, undefined, 1],
  ["is being asked for the first time", { untried: 2, lastSuccess: undefined }, undefined, 0],
])("an endpoint that %s", (_which, given, overdue, unanswered) => {
  expect(read(given)).toEqual({ overdue, unanswered });
});
