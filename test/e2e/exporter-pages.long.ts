import { setTimeout as after } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { parse } from "yaml";
import { simulate } from "../../simulator/simulate.ts";
import { alertmanagerExample } from "../../generate/alertmanager.ts";
import { rulesFile } from "../../generate/rules/rules.ts";
import { shardOf } from "../../src/daemon/shard/shard.ts";
import { startAlertmanager, type Routing } from "./support/alertmanager.ts";
import { compressRouting, compressRules, fastClock, type Compression } from "./support/compression.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "./support/daemon.ts";
import { cleanUpAfter, folder } from "./support/harness.ts";
import { startPrometheus } from "./support/prometheus.ts";
import { cadences } from "./support/stories/pace.ts";

/** The pages about the exporter itself; those about nodes and networks have their stories (`stories.long.ts`). */

/** Five minutes are fifteen seconds: scrapes that a busy machine misses for as long would be an absent exporter. */
const FACTOR = 20;
/** Enough for the process itself, its clients and eighteen connections to twenty nodes. */
const DESCRIPTORS = 64;
const SOON = { timeout: 90_000, interval: 200 };

type Chain = {
  readonly daemon: RunningDaemon;
  /** The second one of a pair. */
  readonly other: RunningDaemon | undefined;
  /** States of the alerts of a name. */
  readonly states: (name: string) => Promise<readonly string[]>;
  /** Receivers and names of what was sent. */
  readonly sent: () => readonly string[];
  /** The notifications of a receiver: status, and name and node of each alert. */
  readonly messages: (receiver: string) => readonly string[];
};

type Options = { readonly flags?: readonly string[]; readonly descriptors?: number; readonly isPair?: boolean };

/** An exporter with these nodes and flags, or a pair of the same nodes, Prometheus with its rules, and Alertmanager. */
async function chainOf(
  nodes: readonly object[],
  compression: Compression,
  { flags = [], descriptors, isPair = false }: Options = {},
): Promise<Chain> {
  // With default deadlines, of 0.25 s here, a busy machine takes nodes down.
  const file = await writeConfig(await folder(), { nodes, endpoints: cadences(FACTOR) });
  const start = async (): Promise<RunningDaemon> => {
    const started = await startDaemon([`--config.file=${file}`, ...flags], {
      clock: compression,
      ...(descriptors === undefined ? {} : { descriptors }),
    });
    cleanUpAfter(started.child.stop);
    return started;
  };
  const daemon = await start();
  const other = isPair ? await start() : undefined;
  const targets = [daemon, other].flatMap((each) => (each === undefined ? [] : [new URL(each.address).host]));
  const routing = compressRouting(parse(alertmanagerExample()), compression) as Routing;
  const alertmanager = await startAlertmanager(routing, isPair);
  cleanUpAfter(alertmanager.stop);
  const rules = compressRules(rulesFile(), compression);
  const prometheus = await startPrometheus(
    { avax: { static_configs: [{ targets }] } },
    { rules, alertmanager: alertmanager.address },
  );
  cleanUpAfter(prometheus.stop);
  return {
    daemon,
    other,
    messages: (wanted) =>
      alertmanager
        .notifications()
        .filter(({ receiver }) => receiver === wanted)
        .map(({ alerts }) =>
          alerts.map(({ status, labels }) => `${status} ${labels["alertname"]} ${labels["node"] ?? ""}`).join(", "),
        ),
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
  const simulation = await simulate({ nodes: 2, now: fastClock(compression) });
  cleanUpAfter(simulation.close);
  const names = Array.from({ length: 20 }, (_, index) => `node-${index}`).filter((name) => shardOf(name, 2) === 0);
  const nodes = simulation.nodes.map(({ url }, index) => ({ name: names[index], url, network: "n" }));
  const { daemon, states, sent } = await chainOf(nodes, compression, { flags: ["--shard.index=0", "--shard.total=2"] });
  // On a busy machine the polls at a start end seconds apart, which are minutes here: one node would be down long before the other.
  await vi.waitFor(async () => expect(await daemon.isReady()).toBe(true), SOON);
  simulation.set("all", "offline-validator");
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
  const { states, sent } = await chainOf(nodes, compression, { descriptors: DESCRIPTORS });
  const page = "page: AvaxExporterOutOfDescriptors";
  await vi.waitFor(() => expect(sent()).toEqual([WATCHDOG, page]), SOON);
  // A quarter of an hour later.
  await after((900 / FACTOR) * 1000);
  expect(sent()).toEqual([WATCHDOG, page]);
  expect(await states("AvaxNodeDown")).toEqual([]);
}, 300_000);

it("of two nodes that stopped answering, the one that stays away has its page as soon as the other one returns", async () => {
  const compression = compressed();
  const simulation = await simulate({ nodes: 2, now: fastClock(compression) });
  cleanUpAfter(simulation.close);
  const nodes = simulation.nodes.map(({ url, name }) => ({ name, url, network: "n" }));
  const [first = "", second = ""] = simulation.nodes.map(({ name }) => name);
  const { daemon, sent, messages } = await chainOf(nodes, compression);
  await vi.waitFor(async () => expect(await daemon.isReady()).toBe(true), SOON);
  simulation.set("all", "offline-validator");
  await vi.waitFor(() => expect(sent()).toEqual([WATCHDOG, "page: AvaxExporterCannotPoll"]), SOON);
  // Twelve minutes after both stopped.
  await after((400 / FACTOR) * 1000);
  expect(sent()).toEqual([WATCHDOG, "page: AvaxExporterCannotPoll"]);
  simulation.set(1, "healthy");
  const returned = Date.now();
  await vi.waitFor(() => expect(messages("page")).toContain(`firing AvaxNodeDown ${second}`), SOON);
  expect(((Date.now() - returned) * FACTOR) / 60_000).toBeLessThan(4);
  expect(messages("page").filter((text) => text.includes(first))).toEqual([]);
}, 300_000);

it("a pair of exporters of the same nodes sends what one sends, and one of them that is blind is no page about a node", async () => {
  const compression = compressed();
  const simulation = await simulate({ nodes: 3, now: fastClock(compression) });
  cleanUpAfter(simulation.close);
  const nodes = simulation.nodes.map(({ url, name }) => ({ name, url, network: "n" }));
  const dead = simulation.nodes[1]?.name ?? "";
  const { daemon, messages } = await chainOf(nodes, compression, { isPair: true });
  await vi.waitFor(async () => expect(await daemon.isReady()).toBe(true), SOON);
  simulation.set(2, "offline-validator");
  await vi.waitFor(() => expect(messages("page")).toEqual([`firing AvaxNodeDown ${dead}`]), SOON);
  simulation.set(2, "healthy");
  await vi.waitFor(
    () => expect(messages("page")).toEqual([`firing AvaxNodeDown ${dead}`, `resolved AvaxNodeDown ${dead}`]),
    SOON,
  );
  // Five minutes later.
  await after((300 / FACTOR) * 1000);
  expect(messages("page")).toHaveLength(2);
}, 300_000);
