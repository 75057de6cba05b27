import { beforeAll, describe, expect, it } from "vitest";
import { SEVERITIES } from "../../src/topics/define/alert.ts";
import { createDaemon } from "../../src/daemon/daemon.ts";
import { demoConfig } from "../../src/cli/demo.ts";
import { createLogger } from "../../src/daemon/create-logger.ts";
import { createDoctor } from "../../src/diagnosis/doctor.ts";
import { type Exposition } from "../../src/exposition/exposition.ts";
import { alertGroupsWith, ALERTS } from "../../src/topics/all/alerts.ts";
import { systemClock, type Clock } from "../../src/runtime/clock.ts";
import { simulate } from "../../simulator/simulate.ts";
import type { Diagnosis } from "../../src/diagnosis/finding.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { readingsIn } from "../support/readings.ts";

/** A daemon's exposition after the first polls of a simulated network. */
async function polled(scenario: Parameters<typeof simulate>[0]): Promise<Exposition> {
  const simulation = await simulate({ port: 0, nodes: 2, ...scenario });
  const log = createLogger("error", "logfmt", () => undefined);
  const about = { version: "1", revision: "r", nodeVersion: "v" };
  const daemon = createDaemon({ config: demoConfig(simulation), log, ...about, exporterMetrics: false });
  daemon.poller.tick();
  await daemon.poller.firstRound();
  daemon.poller.collect();
  await daemon.poller.close();
  await simulation.close();
  return daemon.exposition;
}

/** A clock that tests advance. */
function clockAt(now: number): Clock & { pass: (seconds: number) => void } {
  let time = now;
  return { ...systemClock, now: () => time, elapsed: () => time, pass: (seconds) => (time += seconds) };
}

describe("a diagnosis", () => {
  let exposition: Exposition;
  beforeAll(async () => {
    exposition = await polled({ scenario: [{ node: 2, name: "unhealthy-check" }] });
  });
  const doctorOf = (clock: Clock) => createDoctor({ snapshot: () => exposition.readings, clock, who: "this exporter" });

  it("lists the problems, worst first, with evidence", async () => {
    const { problems, counts, byNode, claims, failed, ofPrometheus, judged } = await doctorOf(systemClock).diagnosis();
    expect(failed).toEqual([]);
    expect(claims).toEqual({ "sim-1": true, "sim-2": false });
    expect([judged > 40, ofPrometheus.includes("AvaxNodePollsMissed")]).toEqual([true, true]);
    const low = problems.find(({ alert }) => alert === "AvaxNodeDiskLow");
    expect(low).toMatchObject({
      severity: "warning",
      for: "5m",
      labels: { node: "sim-2", network: "local" },
      summary: "sim-2 has 9 % of its disk left",
    });
    expect(low?.evidence).toContainEqual({
      series: 'avax_node_disk_available_ratio{network="local",node="sim-2"}',
      value: 0.09,
      words: "9%",
    });
    expect(low?.runbook).toMatch(/\/docs\/runbooks\/AvaxNodeDiskLow\.md$/);
    const ranks = problems.map(({ severity }) => SEVERITIES.indexOf(severity));
    expect(ranks).toEqual([...ranks].sort());
    expect(counts.critical + counts.warning + counts.info).toBe(problems.length);
    expect(counts.consequences).toBe(problems.flatMap(({ consequences }) => consequences).length);
    expect(byNode["sim-2"]?.warning).toBe(
      problems.filter(({ severity, labels }) => severity === "warning" && labels["node"] === "sim-2").length,
    );
  });

  it("is computed at most once a second", async () => {
    const clock = clockAt(Date.now() / 1_000);
    const doctor = doctorOf(clock);
    const [one, other] = await Promise.all([doctor.diagnosis(), doctor.diagnosis()]);
    expect(other).toBe(one);
    clock.pass(0.9);
    expect(await doctor.diagnosis()).toBe(one);
    clock.pass(0.2);
    const next = await doctor.diagnosis();
    expect(next).not.toBe(one);
    expect(next.at - one.at).toBeCloseTo(1.1);
  });

  it("includes the exporter's own samples", async () => {
    const now = Date.now() / 1_000;
    const name = "avax_exporter_config_last_reload_successful";
    const own = [[name, [{ name, labels: {}, value: 0 }]]] as const;
    const clock = clockAt(now);
    const { problems } = await createDoctor({
      snapshot: () => () => [],
      own: () => Promise.resolve(own),
      clock,
      who: "this exporter",
    }).diagnosis();
    expect(problems.map(({ summary }) => summary)).toEqual([
      "this exporter: reload failed, the configuration before it is in use",
    ]);
  });
});

describe("a diagnosis with other thresholds", () => {
  it("follows the list of alerts when it is replaced", async () => {
    const clock = clockAt(1_800_000_000);
    let alerts = ALERTS;
    const texts: Readonly<Record<string, string>> = {
      avax_node_configured: 'avax_node_configured{network="local",node="a"} 1\n',
      avax_node_disk_available_ratio: 'avax_node_disk_available_ratio{network="local",node="a"} 0.2\n',
    };
    const doctor = createDoctor({
      snapshot: () => (family) => readingsIn(texts[family] ?? "")(family),
      alerts: () => alerts,
      clock,
      who: "this exporter",
    });
    const names = async (): Promise<readonly string[]> => {
      clock.pass(60);
      return (await doctor.diagnosis()).problems.map(({ alert }) => alert);
    };
    expect(await names()).toEqual([]);
    alerts = alertGroupsWith({ "disk-low": "25%" }).flatMap((group) => group.alerts);
    expect(await names()).toEqual(["AvaxNodeDiskLow"]);
    alerts = ALERTS;
    expect(await names()).toEqual([]);
  });
});

describe("a diagnosis in the background", () => {
  const low = 'avax_node_disk_available_ratio{network="local",node="a"} 0.09\n';

  function tracked() {
    const clock = fakeClock();
    const now = { settled: false, text: low };
    const made: Diagnosis[] = [];
    const doctor = createDoctor({
      snapshot: () => readingsIn('avax_node_configured{network="local",node="a"} 1', now.text),
      clock,
      who: "this exporter",
      tracking: {
        settled: () => now.settled,
        track: new Map(),
        continued: ({ diagnosis }) => void made.push(diagnosis),
        failed: (error) => expect.unreachable(String(error)),
      },
    });
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await clock.pass(1);
        doctor.tick();
        await clock.pass(0);
      }
    };
    return { now, made, doctor, pass };
  }
  const states = ({ problems }: Diagnosis) =>
    problems.map(({ alert, state, since = NaN }) => [alert, state, since - 1_800_000_000]);

  it("is made every 30 s, and as soon as all nodes have been polled", async () => {
    const { now, made, doctor, pass } = tracked();
    await pass(3);
    expect(made).toEqual([]);
    now.settled = true;
    await pass(1);
    expect(made.map(states)).toEqual([[["AvaxNodeDiskLow", "pending", 4]]]);
    await pass(300);
    expect(made.map(({ at }) => at - 1_800_000_000)).toEqual(Array.from({ length: 11 }, (_, index) => 4 + 30 * index));
    expect(states(await doctor.diagnosis())).toEqual([["AvaxNodeDiskLow", "firing", 4]]);
    expect(made.at(-1)?.counts).toMatchObject({ warning: 1, pending: 0 });
    expect(made.at(-2)?.counts).toMatchObject({ warning: 0, pending: 1 });
    now.text = low.replace("0.09", "0.5");
    await pass(30);
    expect(made.at(-1)?.problems).toEqual([]);
  });

  it("shares its track with those on request, which also postpone it", async () => {
    const { made, doctor, pass } = tracked();
    await pass(10);
    expect(states(await doctor.diagnosis())).toEqual([["AvaxNodeDiskLow", "pending", 10]]);
    await pass(29);
    expect(made).toHaveLength(1);
    await pass(1);
    expect(made.map(({ at }) => at - 1_800_000_000)).toEqual([10, 40]);
  });
});
