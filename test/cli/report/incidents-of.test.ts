import { expect, it } from "vitest";
import { incidentsOf, lengthOf, subjectOf } from "../../../src/cli/report/incidents-of.ts";

/** A series of an alert: at each point the beginning of its condition. */
const track = (
  alertname: string,
  severity: string,
  node: string,
  ...samples: ReadonlyArray<readonly [number, number]>
) => ({ labels: { __name__: "ALERTS_FOR_STATE", alertname, severity, node, network: "n" }, samples });
const incidents = (...tracks: ReadonlyArray<ReturnType<typeof track>>) =>
  incidentsOf(tracks, 60, 6_000).map(({ alert, labels, from, until }) => [alert, labels["node"], from, until]);

it("an incident is the time with one beginning of the condition of a page or a ticket", () => {
  const samples = [
    [600, 100],
    [660, 100],
    // Prometheus was down; the condition held all the time.
    [900, 100],
    // It began again.
    [960, 930],
    [6_000, 5_940],
  ] as const;
  expect(incidents(track("AvaxNodeDown", "critical", "a", ...samples))).toEqual([
    ["AvaxNodeDown", "a", 100, 900],
    ["AvaxNodeDown", "a", 930, 960],
  ]);
  expect(incidents(track("AvaxEvmWebSocketDown", "info", "a", ...samples))).toEqual([]);
  expect(incidents(track("AvaxOther", "page", "a", ...samples))).toEqual([]);
});

it("what Alertmanager held back, because its cause fired on the same node, is none", () => {
  const down = track("AvaxNodeDown", "critical", "a", [1_200, 600], [2_400, 600]);
  const failing = (node: string) => track("AvaxEndpointFailing", "warning", node, [1_260, 360], [2_400, 360]);
  expect(incidents(failing("a"), down, failing("b"))).toEqual([
    ["AvaxEndpointFailing", "b", 360, 2_400],
    ["AvaxNodeDown", "a", 600, 2_400],
  ]);
});

it("an incident lasts to the end of the period while it fires, and has a subject", () => {
  expect(lengthOf({ from: 1_000, until: 1_600 }, 10_000)).toBe(600);
  expect(lengthOf({ from: 1_000, until: undefined }, 10_000)).toBe(9_000);
  expect(subjectOf({ labels: { network: "n", node: "a", node_id: "NodeID-A" } })).toBe("a");
  expect(subjectOf({ labels: { network: "n", node_id: "NodeID-A", name: "" } })).toBe("NodeID-A");
  expect(subjectOf({ labels: {} })).toBe("");
});
