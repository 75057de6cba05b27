import { vi } from "vitest";
import { parse } from "yaml";
import { alertmanagerExample } from "../../../generate/alertmanager.ts";
import { rulesFile } from "../../../generate/rules.ts";
import {
  startAlertmanager,
  type Alertmanager,
  type Notification,
  type Received,
  type Routing,
} from "./alertmanager.ts";
import { startScene, type Scene } from "./alert-scene.ts";
import { compressRouting, compressRules, fastClock, type Compression } from "./compression.ts";
import { cleanUpAfter } from "./harness.ts";
import { startPrometheus, type ScrapeConfig } from "./prometheus.ts";

/** Results of a bit more than an hour of faults. */
export type Story = {
  /** Every alert as Alertmanager first had it, with the fast minutes after the start. */
  readonly received: ReadonlyArray<{ readonly alert: Received; readonly minute: number }>;
  readonly notifications: readonly Notification[];
  /** Names of the alerts that fired for targets without faults. */
  readonly calm: readonly string[];
  /** Duration, in fast minutes. */
  readonly calmFor: number;
};

/** Latest time of an alert, in fast minutes; the last takes 65. */
const LATEST_MINUTE = 80;
const HOUR = 60;
/** A chain that was busy needs many samples, and a scrape that comes too late would end what has been pending for an hour. */
const INTERVALS = { odd: "500ms", fleet: "2s" };
const CALM = 'count by (alertname) (max_over_time(ALERTS{alertstate="firing",$}[1h]))';

/** By the name of an alert, the labels that it is waited for with. */
type Awaited = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Runs the whole story and collects the alerts and notifications. */
export async function runStory(compression: Compression, awaited: Awaited): Promise<Story> {
  const now = fastClock(compression);
  const scene = await startScene(compression);
  const exporters = Object.values(scene.exporters);
  const begin = now();
  const minute = () => (now() - begin) / 60_000;
  const alertmanager = await startAlertmanager(compressRouting(parse(alertmanagerExample()), compression) as Routing);
  cleanUpAfter(alertmanager.stop);
  const prometheus = await startPrometheus(
    {
      ...Object.fromEntries(Object.entries(scene.exporters).map(([name, { address }]) => [name, address])),
      relabelled: relabelled(scene.exporters.part.address),
    },
    { rules: compressRules(rulesFile(), compression), alertmanager: alertmanager.address, intervals: INTERVALS },
  );
  cleanUpAfter(prometheus.stop);
  const received = new Map<string, Story["received"][number]>();
  const observe = async () => {
    for (const alert of await heard(alertmanager))
      if (!received.has(alert.fingerprint)) received.set(alert.fingerprint, { alert, minute: minute() });
  };
  const lacking = () => [...awaited].filter((each) => !has(received, each)).map(([name]) => name);
  const happen = happenings(scene, minute);
  const enough = async () => {
    happen();
    await observe();
    const lived = minute() > HOUR && lacking().every((name) => name === "AvaxExporterAbsent");
    return lived || minute() > LATEST_MINUTE;
  };
  await vi.waitUntil(enough, { timeout: 240_000, interval: 500 });
  const calmFor = minute();
  const calm = await Promise.all(['job="calm"', 'network="calm"'].map((of) => prometheus.query(CALM.replace("$", of))));
  await Promise.all(exporters.map(({ child }) => child.stop()));
  const last = async () => {
    await observe();
    return lacking().length === 0 || minute() > LATEST_MINUTE + 20;
  };
  await vi.waitUntil(last, { timeout: 60_000, interval: 500 });
  return {
    received: [...received.values()],
    notifications: alertmanager.notifications(),
    calm: [...new Set(calm.flatMap((result) => [...result.values()].map(({ labels }) => labels["alertname"] ?? "")))],
    calmFor,
  };
}

/** A second job of an exporter that sets the label `node`, with the one family that the alert about it reads. */
function relabelled(address: string): ScrapeConfig {
  return {
    params: { "name[]": ["avax_node_configured"] },
    static_configs: [{ targets: [new URL(address).host], labels: { node: "worker-1" } }],
  };
}

const has = (
  received: ReadonlyMap<string, Story["received"][number]>,
  [name, wanted]: readonly [string, Readonly<Record<string, string>>],
): boolean =>
  [...received.values()].some(({ alert: { labels } }) =>
    Object.entries({ ...wanted, alertname: name }).every(([label, value]) => labels[label] === value),
  );

/** Alertmanager may not listen yet. */
async function heard(alertmanager: Alertmanager): Promise<readonly Received[]> {
  return alertmanager.alerts().catch(() => []);
}

/** Events by fast minutes; other faults exist from the start. Must be called often. */
function happenings(scene: Scene, minute: () => number): () => void {
  const { networks, hosted } = scene;
  const plan: Array<readonly [at: number, happen: () => void]> = [
    [0, () => hosted.fleet.lagBy(6 * 86_400)],
    [0, () => networks.alpha.set(5, "admin-on")],
    [20, () => networks.alpha.set(5, "admin-changed")],
    [10, () => networks.alpha.set(2, "validator-gone")],
    [10, () => networks.odd.set(3, "bootstrapping")],
    [15, () => networks.alpha.set(12, ["edge-uptime", "stake-ending", "offline-validator"])],
    [30, () => networks.alpha.set(2, ["validator-gone", "offline-validator"])],
    [12, () => networks.dark.set("all", "offline-validator")],
    [12, () => hosted.blind.set("metrics", "server-error")],
    [14, () => void scene.breakConfig("odd")],
    [16, () => void scene.swap().then((network) => plan.push([46, () => network.set("all", "chain-stalled")]))],
  ];
  return () => {
    const due = plan.filter(([at]) => at <= minute());
    for (const each of due) {
      plan.splice(plan.indexOf(each), 1);
      each[1]();
    }
  };
}
