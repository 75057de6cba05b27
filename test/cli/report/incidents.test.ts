import { expect, it } from "vitest";
import type { Severity } from "../../../src/topics/define/alert.ts";
import { episodesOf, incidentsOf, lengthOf, subjectOf, type Episode } from "../../../src/cli/report/incidents.ts";

const track = (labels: Readonly<Record<string, string>>, ...samples: ReadonlyArray<readonly [number, number]>) => ({
  labels,
  samples,
});

it("an episode is the time with one beginning of the condition", () => {
  const labels = { __name__: "ALERTS_FOR_STATE", alertname: "AvaxNodeDown", severity: "critical", node: "a" };
  const samples = [
    [600, 100],
    [660, 100],
    // Prometheus was down; the condition held all the time.
    [900, 100],
    // It began again.
    [960, 930],
    [1_500, 1_440],
  ] as const;
  const episode = { alert: "AvaxNodeDown", severity: "critical", labels: { node: "a" } };
  expect(episodesOf([track(labels, ...samples)], 60, 1_500)).toEqual([
    { ...episode, from: 100, until: 900 },
    { ...episode, from: 930, until: 960 },
    { ...episode, from: 1_440, until: undefined },
  ]);
  expect(episodesOf([track({ alertname: "AvaxOther", severity: "page" }, [1, 1])], 60, 1_500)).toEqual([]);
});

const SEVERITY: Readonly<Record<string, Severity>> = {
  AvaxNodeDown: "critical",
  AvaxNodeRestarting: "none",
  AvaxEndpointFailing: "warning",
  AvaxNodeOutdated: "warning",
};

function episode(alert: string, node: string, from: number, until?: number): Episode {
  const labels = { node, network: "n", instance: "e", job: "j" };
  return { alert, severity: SEVERITY[alert] ?? "info", labels, from, until };
}

const names = (episodes: readonly Episode[]) =>
  incidentsOf(episodes, 10_000).map(({ alert, from, consequences }) => [alert, from, consequences]);

it("what fires at the same time as its cause, on the same node, is counted with the cause", () => {
  expect(
    names([
      episode("AvaxEndpointFailing", "a", 1_100, 2_000),
      episode("AvaxNodeDown", "a", 1_000, 1_500),
      // At another time, and on another node.
      episode("AvaxEndpointFailing", "a", 3_000, 3_500),
      episode("AvaxEndpointFailing", "b", 1_100, 2_000),
      episode("AvaxNodeOutdated", "a", 5_000),
    ]),
  ).toEqual([
    ["AvaxNodeDown", 1_000, 1],
    ["AvaxEndpointFailing", 1_100, 0],
    ["AvaxEndpointFailing", 3_000, 0],
    ["AvaxNodeOutdated", 5_000, 0],
  ]);
});

it("a state is listed only as a cause", () => {
  expect(names([episode("AvaxNodeRestarting", "a", 1_000, 1_100)])).toEqual([]);
  expect(names([episode("AvaxNodeRestarting", "a", 1_000, 1_100), episode("AvaxEndpointFailing", "a", 1_050)])).toEqual(
    [["AvaxNodeRestarting", 1_000, 1]],
  );
});

it("an episode lasts to the end of the period while it fires, and has a subject", () => {
  expect(lengthOf(episode("AvaxNodeDown", "a", 1_000, 1_600), 10_000)).toBe(600);
  expect(lengthOf(episode("AvaxNodeDown", "a", 1_000), 10_000)).toBe(9_000);
  expect(subjectOf({ labels: { network: "n", node: "a", node_id: "NodeID-A" } })).toBe("a");
  expect(subjectOf({ labels: { network: "n", node_id: "NodeID-A", name: "" } })).toBe("NodeID-A");
  expect(subjectOf({ labels: {} })).toBe("");
});
