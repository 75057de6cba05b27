import { afterAll, describe, expect, it, test } from "vitest";
import { nodesAt } from "../../src/cli/doctor.ts";
import type { Config } from "../../src/config/config.ts";
import { configSchema } from "../../src/config/schema/config-schema.ts";
import { examine, type Step } from "../../src/daemon/examine.ts";
import { reportOf } from "../../src/diagnosis/report-of.ts";
import type { DiagnosisReport } from "../../src/diagnosis/finding.ts";
import { unobservedNodes } from "../../src/diagnosis/unobserved-nodes.ts";
import { systemClock, type Clock } from "../../src/runtime/clock.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { simulateHosted } from "../../simulator/hosted/hosted.ts";
import { simulate } from "../../simulator/simulate.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { answer, loadRecording, type Recording } from "../e2e/support/recording.ts";
import { startRecordingServer } from "../e2e/support/recording-server.ts";

const cleanup = createCleanup();
afterAll(cleanup.run);

/** Seconds, far beyond the end of an examination, which ends when it is complete. */
const NO_LIMIT = 600;

/** Deadlines that are long enough on any machine, because a fleet is polled at once. */
function patient(config: Config): Config {
  const endpoints = catalogueOf(TOPICS).endpoints.map(({ id }) => [id, { timeout: NO_LIMIT }] as const);
  return { ...config, endpoints: Object.fromEntries(endpoints) };
}

/** A clock that starts just after the last moment of the recordings. */
function clockOf(recordings: readonly Recording[]): Clock {
  const bodies = recordings.map((each) => answer(each, "health.get").response.body).join();
  const last = Math.max(...[...bodies.matchAll(/"timestamp":"([^"]+)"/g)].map(([, time = ""]) => Date.parse(time)));
  const shift = (last + 1_000 - Date.now()) / 1_000;
  return { ...systemClock, now: () => Date.now() / 1_000 + shift };
}

/** Examines recorded nodes, each named after its recording. */
async function examined(...names: readonly string[]): Promise<DiagnosisReport> {
  const recordings = names.map(loadRecording);
  const servers = await Promise.all(recordings.map((each) => startRecordingServer(each)));
  for (const { close } of servers) cleanup.add(close);
  const config = nodesAt(servers.map(({ url }) => url)) as Config;
  const nodes = config.nodes.map((node, index) => ({ ...node, name: names[index] ?? "" }));
  const system = { err: () => undefined, nodeVersion: "v24" };
  return examine({ ...config, nodes }, { limit: NO_LIMIT, system, clock: clockOf(recordings) });
}

const alerts = ({ diagnosis }: DiagnosisReport, severity = "critical") =>
  diagnosis.problems.filter((each) => each.severity === severity).map(({ alert, labels }) => [alert, labels["node"]]);

describe.concurrent("a validator that an upgrade left behind", () => {
  it("is reported as healthy by its own account and left behind, next to one that is not", async () => {
    const report = await examined("custom-helicon-active", "custom-left-behind");
    expect(alerts(report)).toEqual([["AvaxNodeLeftBehind", "custom-left-behind"]]);
    expect(report.diagnosis.problems[0]?.consequences.map(({ alert }) => alert)).toEqual([
      "AvaxNodeUpgradeNotReady",
      "AvaxNodeUpgradeDue",
    ]);
    const text = reportOf(report, false);
    expect(text).toContain("custom-left-behind: reports itself healthy, but has 1 critical problem\n");
    expect(text).toContain("  CRITICAL custom-left-behind missed the upgrade and is 7 blocks behind\n");
    expect(text).toContain(
      '    data    avax_node_left_behind_blocks{network="network-424242",\n            node="custom-left-behind"} 7\n',
    );
    expect(text).toContain("    do      Install the release with the upgrade and restart the node. It");
    expect(text).toContain("    more    docs/runbooks/AvaxNodeLeftBehind.md; the alert fires after 2 min\n");
    expect(text).toContain("No problems on custom-helicon-active\n");
    expect(text).toMatch(/judged by Prometheus alone:\s+[^.]*AvaxNodeDiskFilling,[^.]*\s+AvaxNodePollsMissed,/);
    expect(text.replaceAll(/\s+/g, " ")).toMatch(
      /Verdict: 1 critical, 1 warning \(and 2 consequences\)\. Reported healthy despite critical problems: custom-left-behind $/,
    );
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("is not reported as left behind when it is examined alone", async () => {
    const report = await examined("custom-left-behind");
    expect(alerts(report).map(([alert]) => alert)).not.toContain("AvaxNodeLeftBehind");
  });
});

test.concurrent("a healthy pair has no critical finding", async () => {
  const report = await examined("local-healthy-validator", "local-young-validator");
  expect([alerts(report), report.diagnosis.failed, report.complete]).toEqual([[], [], true]);
  // A fifth of the weight is one delegation that ends in two days.
  expect(reportOf(report, false)).toMatch(/\nVerdict: no critical problems; 1 warning\n$/);
});

test.concurrent.each([
  ["AvaxNodeClockWrong", 1],
  ["AvaxExporterClockWrong", 3],
])("a clock of the exporter that is seven minutes behind is one finding, %s, with %i nodes", async (alert, nodes) => {
  const simulation = await simulate({ nodes });
  cleanup.add(() => simulation.close());
  const config = patient(nodesAt(simulation.nodes.map(({ url }) => url)) as Config);
  const clock = { ...systemClock, now: () => Date.now() / 1_000 - 420 };
  const system = { err: () => undefined, nodeVersion: "v24" };
  const { problems } = (await examine(config, { limit: NO_LIMIT, system, clock })).diagnosis;
  expect(problems.map((each) => each.alert)).toEqual([alert]);
  const failing = problems.flatMap(({ consequences }) => consequences.map((each) => each.alert));
  expect(new Set(failing)).toEqual(new Set(["AvaxEndpointFailing"]));
});

describe.concurrent("a node that names the cause of a failing check", () => {
  const evidence = ({ diagnosis }: DiagnosisReport) => diagnosis.problems.flatMap((each) => each.evidence);

  it("is quoted, with the remedy of a known cause, beside the series that meets the condition", async () => {
    const report = await examined("local-no-inbound");
    expect(evidence(report)).toEqual([
      {
        series: 'avax_node_health_check_passing{check="network",network="local",node="local-no-inbound"}',
        value: 0,
        words: '"network layer is unhealthy reason: primary network validator has no inbound connections"',
      },
    ]);
    expect(report.diagnosis.problems[0]?.action).toMatch(/^Open TCP port 9651 /);
    expect(reportOf(report, false).replaceAll(/\s+/g, " ")).toContain(
      '0 ("network layer is unhealthy reason: primary network validator has no inbound connections") means',
    );
  });

  it("is quoted about each chain", async () => {
    const report = await examined("local-plugin-failed");
    const quoted = /^"failed to create chain on subnet .*: handshake failed: vm process not found"$/;
    expect(evidence(report).map(({ words = "" }) => quoted.test(words))).toEqual([true, true]);
    expect(new Set(report.diagnosis.problems.map(({ action }) => action.slice(0, 24)))).toEqual(
      new Set(["Install the VM's plugin "]),
    );
  });
});

test.concurrent("a node of a release that reports free bytes alone has a finding when its disk is low", async () => {
  const simulation = await simulate({ nodes: 3, version: "1.14.0", scenario: [{ node: 2, name: "unhealthy-check" }] });
  cleanup.add(() => simulation.close());
  const config = patient(nodesAt(simulation.nodes.map(({ url }) => url)) as Config);
  const report = await examine(config, { limit: NO_LIMIT, system: { err: () => undefined, nodeVersion: "v24" } });
  const second = new URL(simulation.nodes[1]?.url ?? "").host;
  expect(alerts(report, "warning")).toContainEqual(["AvaxNodeUnhealthy", second]);
  const found = report.diagnosis.problems.find(({ alert }) => alert === "AvaxNodeUnhealthy");
  expect([found?.labels["check"], found?.action.slice(0, 17)]).toEqual(["diskspace", "Enlarge the disk,"]);
});

const FLEET = 40;

test("a fleet is examined as a whole", { timeout: NO_LIMIT * 1000 }, async () => {
  // The last one is unhealthy.
  const simulation = await simulate({
    nodes: FLEET,
    validators: 10,
    scenario: [{ node: FLEET, name: "unhealthy-check" }],
  });
  cleanup.add(() => simulation.close());
  const config = patient(nodesAt(simulation.nodes.map(({ url }) => url)) as Config);
  const report = await examine(config, { limit: NO_LIMIT, system: { err: () => undefined, nodeVersion: "v24" } });
  expect([report.complete, unobservedNodes(report), report.status.targets.length]).toEqual([true, [], FLEET]);
  const last = new URL(simulation.nodes[FLEET - 1]?.url ?? "").host;
  expect(alerts(report, "warning")).toContainEqual(["AvaxNodeDiskLow", last]);
  expect(reportOf(report, false)).toMatch(
    new RegExp(`^Polled ${FLEET} nodes in .*\\n\\n127\\.0\\.0\\.1:\\d+: reports itself unhealthy\\n`),
  );
});

test("a fleet is not reported as healthy when the time is too short", async () => {
  const simulation = await simulate({ nodes: 20, validators: 10 });
  cleanup.add(() => simulation.close());
  const config = nodesAt(simulation.nodes.map(({ url }) => url)) as Config;
  const report = await examine(config, { limit: 0.05, system: { err: () => undefined, nodeVersion: "v24" } });
  expect(report.complete).toBe(false);
  expect(unobservedNodes(report).length).toBeGreaterThan(10);
  const text = reportOf(report, false);
  expect(text).toContain("  - deadline reached before all polls ended\n");
  expect(text).toMatch(/\nVerdict: no (?:critical )?problems.*; \d+ of 20 nodes not observed\n$/);
});

test("its progress counts nodes, and hosted services not among them", async () => {
  const simulation = await simulate({ nodes: 2 });
  const hosted = await simulateHosted({});
  cleanup.add(() => simulation.close());
  cleanup.add(() => hosted.close());
  const nodes = simulation.nodes.map(({ name, url }) => ({ name, url }));
  const services = { data_api: { url: hosted.dataUrl, network: "fuji" }, metrics_api: { url: hosted.metricsUrl } };
  const steps: Step[] = [];
  const system = { err: () => undefined, nodeVersion: "v24" };
  const onStep = (step: Step): void => void steps.push(step);
  // The metrics of one chain wait for the budget of a minute.
  await examine(configSchema.parse({ nodes, ...services }), { limit: 3, system, onStep });
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter(({ done, total }) => done > total)).toEqual([]);
});
