import { afterEach, describe, expect, it, test } from "vitest";
import { nodesAt } from "../../src/cli/doctor.ts";
import type { Config } from "../../src/config/config.ts";
import { examine } from "../../src/daemon/examine.ts";
import { reportOf } from "../../src/diagnosis/report.ts";
import { unseenNodes, type Report } from "../../src/diagnosis/seen.ts";
import { systemClock, type Clock } from "../../src/runtime/clock.ts";
import { catalogueOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { simulate } from "../../src/simulator/simulate.ts";
import { createCleanup } from "../e2e/support/cleanup.ts";
import { answer, loadRecording, type Recording } from "../e2e/support/recording.ts";
import { startRecordingServer } from "../e2e/support/recording-server.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

/** Everything was asked long before: a look ends when it is complete, and a busy machine only makes it longer. Seconds. */
const NO_LIMIT = 600;

/** Deadlines that answers are late for on no machine: of a fleet all are asked at once. */
function patient(config: Config): Config {
  const endpoints = catalogueOf(TOPICS).endpoints.map(({ id }) => [id, { timeout: NO_LIMIT }] as const);
  return { ...config, endpoints: Object.fromEntries(endpoints) };
}

/** A clock that stands just behind the last moment of the recordings, and goes on from there. */
function clockOf(recordings: readonly Recording[]): Clock {
  const bodies = recordings.map((each) => answer(each, "health.get").response.body).join();
  const last = Math.max(...[...bodies.matchAll(/"timestamp":"([^"]+)"/g)].map(([, time = ""]) => Date.parse(time)));
  const shift = (last + 1_000 - Date.now()) / 1_000;
  return { ...systemClock, now: () => Date.now() / 1_000 + shift };
}

/** Looks at recorded nodes, each called by the name of its recording. */
async function look(...names: readonly string[]): Promise<Report> {
  const recordings = names.map(loadRecording);
  const servers = await Promise.all(recordings.map((each) => startRecordingServer(each)));
  for (const { close } of servers) cleanup.add(close);
  const config = nodesAt(servers.map(({ url }) => url)) as Config;
  const nodes = config.nodes.map((node, index) => ({ ...node, name: names[index] ?? "" }));
  const system = { err: () => undefined, nodeVersion: "v24" };
  return examine({ ...config, nodes }, { limit: NO_LIMIT, system, clock: clockOf(recordings) });
}

const alerts = ({ diagnosis }: Report, severity = "critical") =>
  diagnosis.findings.filter((each) => each.severity === severity).map(({ alert, labels }) => [alert, labels["node"]]);

describe("the validator that an upgrade left behind, beside one that it did not", () => {
  it("is said to call itself healthy, and to be left behind", async () => {
    const report = await look("custom-helicon-active", "custom-left-behind");
    expect(alerts(report)).toEqual([
      ["AvaxNodeUpgradeNotReady", "custom-left-behind"],
      ["AvaxNodeLeftBehind", "custom-left-behind"],
    ]);
    const text = reportOf(report, false);
    expect(text).toContain("custom-left-behind: this node calls itself healthy, yet 2 critical problems\n");
    expect(text).toContain("  CRITICAL An upgrade left custom-left-behind behind, by 7 blocks so far\n");
    expect(text).toContain('    known  avax_chain_lag_blocks{chain="C",node="custom-left-behind"} 7\n');
    expect(text).toContain("    do     Install the release that knows the upgrade.");
    expect(text).toContain("    more   docs/runbooks/AvaxNodeLeftBehind.md; the alert fires after 2m of this\n");
    expect(text).toContain("Nothing wrong with custom-helicon-active\n");
    expect(text).toMatch(/conditions that need history, which Prometheus has: AvaxNodeReplaced,/);
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      "Verdict: 2 critical. By its own account healthy, and not so: custom-left-behind",
    );
  });

  it("cannot be known to be left behind when it is looked at alone, but is known not to be healthy for ever", async () => {
    const report = await look("custom-left-behind");
    expect(alerts(report).map(([alert]) => alert)).not.toContain("AvaxNodeLeftBehind");
  });
});

test("of a healthy pair nothing critical is said", async () => {
  const report = await look("local-healthy-validator", "local-young-validator");
  expect([alerts(report), report.diagnosis.failed, report.complete]).toEqual([[], [], true]);
  expect(reportOf(report, false)).toMatch(/\nVerdict: nothing critical; \d warning\n$/);
});

const FLEET = 84;

test("a fleet that is looked at in portions is looked at as a whole", { timeout: NO_LIMIT * 1000 }, async () => {
  // More than are asked at the same time, and the last one is the one that something is wrong with.
  const simulation = await simulate({
    nodes: FLEET,
    validators: 10,
    scenario: [{ node: FLEET, name: "unhealthy-check" }],
  });
  cleanup.add(() => simulation.close());
  const config = patient(nodesAt(simulation.nodes.map(({ url }) => url)) as Config);
  const report = await examine(config, { limit: NO_LIMIT, system: { err: () => undefined, nodeVersion: "v24" } });
  expect([report.complete, unseenNodes(report), report.status.targets.length]).toEqual([true, [], FLEET]);
  const last = new URL(simulation.nodes[FLEET - 1]?.url ?? "").host;
  expect(alerts(report)).toContainEqual(["AvaxNodeUnhealthy", last]);
  expect(reportOf(report, false)).toMatch(
    new RegExp(`^Looked at ${FLEET} nodes for .*\\n\\n127\\.0\\.0\\.1:\\d+: this node calls itself unhealthy\\n`),
  );
});

test("a fleet for which there is no time is not called well", async () => {
  const simulation = await simulate({ nodes: 60, validators: 10 });
  cleanup.add(() => simulation.close());
  const config = nodesAt(simulation.nodes.map(({ url }) => url)) as Config;
  const report = await examine(config, { limit: 0.05, system: { err: () => undefined, nodeVersion: "v24" } });
  expect(report.complete).toBe(false);
  expect(unseenNodes(report).length).toBeGreaterThan(10);
  const text = reportOf(report, false);
  expect(text).toContain("  time was up before everything was asked\n");
  expect(text).toMatch(/\nVerdict: nothing critical.*; \d+ of 60 nodes could not be looked at\n$/);
});
