import { beforeAll, describe, expect, it, test } from "vitest";
import { createDaemon } from "../../src/daemon/daemon.ts";
import { demoConfig } from "../../src/demo/demo-config.ts";
import { createLogger } from "../../src/daemon/logger.ts";
import { createDoctor } from "../../src/diagnosis/doctor.ts";
import { createExposition, type Exposition } from "../../src/exposition/exposition.ts";
import { catalogueOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { systemClock, type Clock } from "../../src/runtime/clock.ts";
import { simulate } from "../../src/simulator/simulate.ts";

const { families } = catalogueOf(TOPICS);

/** A daemon's exposition after its first round on a simulated network with this trouble. */
async function polled(scenario: Parameters<typeof simulate>[0]): Promise<Exposition> {
  const simulation = await simulate({ port: 0, nodes: 2, ...scenario });
  const log = createLogger("error", "logfmt", () => undefined);
  const about = { version: "1", revision: "r", nodeVersion: "v" };
  const daemon = createDaemon({ config: demoConfig(simulation), log, ...about, exporterMetrics: false });
  daemon.poller.tick();
  await daemon.poller.firstRound();
  await daemon.poller.close();
  await simulation.close();
  return daemon.exposition;
}

/** Time that only moves when told; what is due at once runs at once. */
function clockAt(now: number): Clock & { pass: (seconds: number) => void } {
  let time = now;
  return { ...systemClock, now: () => time, elapsed: () => time, pass: (seconds) => (time += seconds) };
}

describe("a look", () => {
  let exposition: Exposition;
  beforeAll(async () => {
    exposition = await polled({ scenario: [{ node: 2, name: "unhealthy-check" }] });
  });
  const doctorOf = (clock: Clock) =>
    createDoctor({ lines: exposition.lines.bind(exposition), clock, who: "this exporter" });

  it("says what is wrong, worst first, with the series that show it", async () => {
    const { findings, counts, claims, failed, needHistory, ofPrometheus, judged } = await doctorOf(systemClock).look();
    expect(failed).toEqual([]);
    expect(claims).toEqual({ "sim-1": true, "sim-2": false });
    expect([ofPrometheus, judged > 40, needHistory.includes("AvaxNodeReplaced")]).toEqual([
      ["AvaxExporterAbsent", "AvaxExporterShardMissing"],
      true,
      true,
    ]);
    const unhealthy = findings.find(({ alert }) => alert === "AvaxNodeUnhealthy");
    expect(unhealthy).toMatchObject({
      severity: "critical",
      for: "5m",
      labels: { node: "sim-2" },
      value: 0,
      summary: "sim-2 reports itself unhealthy",
      evidence: [{ series: 'avax_node_healthy{node="sim-2"}', value: 0, words: undefined }],
    });
    expect(unhealthy?.runbook).toMatch(/\/docs\/runbooks\/AvaxNodeUnhealthy\.md$/);
    const ranks = findings.map(({ severity }) => ["critical", "warning", "info"].indexOf(severity));
    expect(ranks).toEqual([...ranks].sort());
    expect(counts.critical + counts.warning + counts.info).toBe(findings.length);
  });

  it("is taken at most once a second, however many look", async () => {
    const clock = clockAt(Date.now() / 1_000);
    const doctor = doctorOf(clock);
    const [one, other] = await Promise.all([doctor.look(), doctor.look()]);
    expect(other).toBe(one);
    clock.pass(0.9);
    expect(await doctor.look()).toBe(one);
    clock.pass(0.2);
    const next = await doctor.look();
    expect(next).not.toBe(one);
    expect(next.at - one.at).toBeCloseTo(1.1);
  });

  it("knows of the exporter itself what it is given", async () => {
    const now = Date.now() / 1_000;
    const own = [
      ["avax_exporter_config_last_reload_successful", "avax_exporter_config_last_reload_successful 0\n"],
      [
        "avax_exporter_config_last_reload_success_timestamp_seconds",
        `avax_exporter_config_last_reload_success_timestamp_seconds ${now - 90}\n`,
      ],
    ] as const;
    const clock = clockAt(now);
    const { findings } = await createDoctor({
      lines: () => [],
      own: () => Promise.resolve(own),
      clock,
      who: "this exporter",
    }).look();
    expect(findings.map(({ summary }) => summary)).toEqual([
      "this exporter runs on a configuration that is 1m 30s old",
    ]);
  });
});

test("1,000 nodes: a look takes many turns, none of them long", async () => {
  const model = await polled({ nodes: 1 });
  const large = createExposition(families);
  for (const { name } of families) {
    const text = model
      .lines(name)
      .map((read) => read())
      .join("");
    if (!text.includes('node="sim-1"')) continue;
    for (let index = 0; index < 1_000; index += 1) {
      large.set(
        name,
        `node ${index}`,
        text.replaceAll('node="sim-1"', `node="n${index}"`),
        text.split("\n").length - 1,
      );
    }
  }
  expect(large.series()).toBeGreaterThan(200_000);
  const turns: number[] = [];
  const clock: Clock = {
    ...systemClock,
    // CPU and not wall time: other programs on the machine are not measured.
    after: (seconds, run) =>
      systemClock.after(seconds, () => {
        const before = process.threadCpuUsage();
        run();
        const { user, system } = process.threadCpuUsage(before);
        turns.push((user + system) / 1_000);
      }),
  };
  const rounds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    turns.length = 0;
    const before = process.threadCpuUsage();
    const looking = createDoctor({ lines: large.lines.bind(large), clock, who: "" }).look();
    // The first turn: all is taken hold of, and the work begins.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const { user, system } = process.threadCpuUsage(before);
    turns.push((user + system) / 1_000);
    await looking;
    rounds.push(Math.max(...turns));
    expect(turns.length).toBeGreaterThan(10);
  }
  expect(Math.min(...rounds)).toBeLessThan(25);
});
