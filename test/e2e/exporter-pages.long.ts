import { setTimeout as after } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { parse } from "yaml";
import { simulate } from "../../simulator/simulate.ts";
import { alertmanagerExample } from "../../generate/alertmanager.ts";
import { rulesFile } from "../../generate/rules.ts";
import { shardOf } from "../../src/daemon/shard/shard.ts";
import { startAlertmanager, type Routing } from "./support/alertmanager.ts";
import { compressRouting, compressRules, fastClock, type Compression } from "./support/compression.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./support/daemon.ts";
import { cleanUpAfter, folder } from "./support/harness.ts";
import { startPrometheus } from "./support/prometheus.ts";

/** The pages about the exporter itself; those about nodes and networks have their stories (`stories.long.ts`). */

/** Five minutes are fifteen seconds: scrapes that a busy machine misses for as long would be an absent exporter. */
const FACTOR = 20;
/** Enough for the process itself, its clients and eighteen connections to twenty nodes. */
const DESCRIPTORS = 64;
const SOON = { timeout: 90_000, interval: 200 };

type Chain = {
  readonly daemon: RunningDaemon;
  /** States of the alerts of a name. */
  readonly states: (name: string) => Promise<readonly string[]>;
  /** Receivers and names of what was sent. */
  readonly sent: () => readonly string[];
};

/** An exporter with these nodes and flags, Prometheus with its rules, and Alertmanager. */
async function chainOf(
  nodes: readonly object[],
  flags: readonly string[],
  compression: Compression,
  descriptors?: number,
): Promise<Chain> {
  const file = await writeConfig(await folder(), { nodes });
  const daemon = await startDaemon([`--config.file=${file}`, ...flags], {
    clock: compression,
    ...(descriptors === undefined ? {} : { descriptors }),
  });
  cleanUpAfter(daemon.child.stop);
  const alertmanager = await startAlertmanager(compressRouting(parse(alertmanagerExample()), compression) as Routing);
  cleanUpAfter(alertmanager.stop);
  const rules = compressRules(rulesFile(), compression);
  const prometheus = await startPrometheus({ avax: daemon.address }, { rules, alertmanager: alertmanager.address });
  cleanUpAfter(prometheus.stop);
  return {
    daemon,
    async states(name) {
      const alerts = await alertmanager.alerts().catch(() => []);
      return alerts.filter(({ labels }) => labels["alertname"] === name).map(({ status }) => status.state);
    },
    sent() {
      const alerts = alertmanager
        .notifications()
        .filter(({ receiver }) => receiver !== "none")
        .flatMap(({ receiver, alerts }) => alerts.map(({ labels }) => `${receiver}: ${labels["alertname"]}`));
      return [...new Set(alerts)].sort();
    },
  };
}

/** The watchdog is sent for as long as the chain of alerts works. */
const WATCHDOG = "dead-mans-switch: AvaxWatchdog";
const compressed = (): Compression => ({ start: Math.floor(Date.now() / 1000) * 1000, factor: FACTOR });

it("an exporter that reaches no node, one of two that runs alone, and one that ends are a page each", async () => {
  const compression = compressed();
  const simulation = await simulate({ nodes: 2, now: fastClock(compression), scenario: "offline-validator" });
  cleanUpAfter(simulation.close);
  const names = Array.from({ length: 20 }, (_, index) => `node-${index}`).filter((name) => shardOf(name, 2) === 0);
  const nodes = simulation.nodes.map(({ url }, index) => ({ name: names[index], url, network: "n" }));
  const { daemon, states, sent } = await chainOf(nodes, ["--shard.index=0", "--shard.total=2"], compression);
  const ofRunning = [WATCHDOG, "page: AvaxExporterCannotPoll", "page: AvaxExporterShardMissing"];
  await vi.waitFor(() => expect(sent()).toEqual(ofRunning), SOON);
  // What follows from it fires, and is held back.
  await vi.waitFor(async () => expect(await states("AvaxNodeDown")).toEqual(["suppressed", "suppressed"]), SOON);
  expect(sent()).toEqual(ofRunning);

  await daemon.child.stop();
  await vi.waitFor(() => expect(sent()).toEqual([WATCHDOG, "page: AvaxExporterAbsent", ...ofRunning.slice(1)]), SOON);
}, 300_000);

it("an exporter without descriptors for its healthy nodes is one page, and none about a node", async () => {
  const compression = compressed();
  const simulation = await simulate({ nodes: 20, now: fastClock(compression) });
  cleanUpAfter(simulation.close);
  const nodes = simulation.nodes.map(({ url, name }) => ({ name, url, network: "n" }));
  const { states, sent } = await chainOf(nodes, [], compression, DESCRIPTORS);
  const page = "page: AvaxExporterOutOfDescriptors";
  await vi.waitFor(() => expect(sent()).toEqual([WATCHDOG, page]), SOON);
  // A quarter of an hour later.
  await after((900 / FACTOR) * 1000);
  expect(sent()).toEqual([WATCHDOG, page]);
  expect(await states("AvaxNodeDown")).toEqual([]);
}, 300_000);
